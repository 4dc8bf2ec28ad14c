import { isOwnHost } from './own-host.js';

describe('the Host header of a demo', () => {
  it.each([
    ['sluice.lan', 'sluice.lan:4000', true],
    ['sluice.lan', 'SLUICE.LAN', true],
    ['Sluice.LAN', 'sluice.lan:4000', true],
    ['sluice.lan', 'localhost:4000', true],
    ['sluice.lan', 'rebound.example', false],
    ['sluice.lan', 'sluice.lan.rebound.example', false],
    ['192.0.2.5', '192.0.2.5:4000', true],
    ['192.0.2.5', '192.0.2.6:4000', false],
    ['2001:db8::5', '[2001:db8::5]:4000', true],
    ['2001:db8::5', '[2001:db8::6]:4000', false],
    ['127.0.0.1', '192.0.2.5', false],
    ['127.0.0.1', undefined, false],
    ['127.0.0.1', '', false],
    ['127.0.0.1', ':4000', false],
  ])('with HOST=%s, a request for %s: %s', (host, header, isOwn) => {
    expect(isOwnHost({ mode: 'demo', host }, header)).toBe(isOwn);
  });
});
