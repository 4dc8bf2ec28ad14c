import type { IncomingHttpHeaders } from 'node:http';
import { isSameOrigin } from './csrf.js';

const OURS = 'https://sluice.example';

it.each<[string, IncomingHttpHeaders, boolean]>([
  ['same-origin', { 'sec-fetch-site': 'same-origin', origin: OURS }, true],
  ['same-origin without Origin', { 'sec-fetch-site': 'same-origin' }, true],
  ['same-origin beside Origin: null, as no-referrer causes', { 'sec-fetch-site': 'same-origin', origin: 'null' }, true],
  ['cross-site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }, false],
  ['cross-site that claims our Origin', { 'sec-fetch-site': 'cross-site', origin: OURS }, false],
  ['same-site', { 'sec-fetch-site': 'same-site', origin: 'https://shop.sluice.example' }, false],
  ['none: typed or bookmarked', { 'sec-fetch-site': 'none' }, false],
  ['none beside our Origin', { 'sec-fetch-site': 'none', origin: OURS }, false],
  ['empty', { 'sec-fetch-site': '' }, false],
  ['sent twice', { 'sec-fetch-site': 'same-origin, same-origin' }, false],
  ['no Sec-Fetch-Site, our Origin', { origin: OURS }, true],
  ['no Sec-Fetch-Site, foreign Origin', { origin: 'https://evil.example' }, false],
  ['no Sec-Fetch-Site, Origin: null', { origin: 'null' }, false],
  ['other scheme', { origin: 'http://sluice.example' }, false],
  ['other port', { origin: `${OURS}:8443` }, false],
  ['longer host', { origin: `${OURS}.evil.example` }, false],
  ['neither', {}, false],
  ['only a Referer of ours', { referer: `${OURS}/login` }, false],
])('%s', (_, headers, judgement) => {
  expect(isSameOrigin(headers, OURS)).toBe(judgement);
});

it('compares origins instead of whole addresses', () => {
  expect(isSameOrigin({ origin: 'http://192.168.1.7:4000' }, 'http://192.168.1.7:4000/sluice')).toBe(true);
});
