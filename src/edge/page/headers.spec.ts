import { securityHeaders, type PageKind } from './headers.js';

const COMMON = "default-src 'none'; style-src 'self'; img-src 'self' data:;";
const END = "frame-ancestors 'none'; base-uri 'none'";
const policy = (page: PageKind): string => securityHeaders(page, false)['Content-Security-Policy'] ?? '';
const consent = (redirectUri: string): PageKind => ({ kind: 'consent', redirectUri });

it.each<[string, PageKind, string]>([
  ['gate', { kind: 'gate' }, `${COMMON} form-action 'self'; ${END}`],
  ['error', { kind: 'error' }, `${COMMON} form-action 'self'; ${END}`],
  [
    'dashboard',
    { kind: 'dashboard', nonce: 'bm9uY2U=' },
    `${COMMON} form-action 'self'; ${END}; script-src 'nonce-bm9uY2U='; connect-src 'self'`,
  ],
  [
    'editor',
    { kind: 'editor', nonce: 'bm9uY2U=' },
    `${COMMON} form-action 'none'; ${END}; script-src 'nonce-bm9uY2U='; style-src-elem 'self' 'unsafe-inline'; font-src data:; connect-src 'self'`,
  ],
  [
    'response',
    { kind: 'response', nonce: 'bm9uY2U=', redirectUri: 'http://localhost:5555/cb' },
    `${COMMON} form-action https: http://localhost:5555; ${END}; script-src 'nonce-bm9uY2U='`,
  ],
  ['consent, https', consent('https://app.example/cb'), `${COMMON} form-action 'self' https:; ${END}`],
  ['consent, loopback', consent('http://localhost:5555/callback?x=1'), `${COMMON} form-action 'self' https: http://localhost:5555; ${END}`],
  ['consent, IPv6 loopback', consent('http://[::1]:5555/cb'), `${COMMON} form-action 'self' https: http:; ${END}`],
  ['consent, native app', consent('com.example.app:/cb'), `${COMMON} form-action 'self' https: com.example.app:; ${END}`],
])('Content-Security-Policy of %s', (_, page, expected) => {
  expect(policy(page)).toBe(expected);
});

it.each(["https://app.example/;script-src 'unsafe-inline'", 'http://localhost:1/; script-src *', 'com.example.app:/cb; script-src *'])(
  'a redirect address cannot add to the policy: %s',
  (redirectUri) => {
    expect(policy(consent(redirectUri))).not.toContain('script-src');
  },
);

it('never allows inline scripts or eval, and style elements only for the GraphQL editor', () => {
  const all: PageKind[] = [{ kind: 'gate' }, { kind: 'error' }, { kind: 'dashboard', nonce: 'n' }, consent('https://app.example/')];
  expect(all.map(policy).filter((each) => /unsafe|\*|strict-dynamic/.test(each))).toEqual([]);
  const editor = policy({ kind: 'editor', nonce: 'n' });
  expect(editor.replace("style-src-elem 'self' 'unsafe-inline'; ", '')).not.toMatch(/unsafe|\*|strict-dynamic/);
});

it('sends the other security headers with every page', () => {
  expect(securityHeaders({ kind: 'error' }, true)).toMatchObject({
    'X-Frame-Options': 'DENY',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'Permissions-Policy': expect.stringMatching(/^(?:[a-z-]+=\(\)(?:, |$))+$/),
  });
});

it('sends a referrer policy with which browsers send Origin from pages with forms', () => {
  const kinds: PageKind[] = [{ kind: 'gate' }, consent('https://app.example/'), { kind: 'dashboard', nonce: 'n' }, { kind: 'error' }];
  const referrers = (plainHttp: boolean): unknown[] => kinds.map((kind) => securityHeaders(kind, plainHttp)['Referrer-Policy']);
  expect(referrers(false)).toEqual(['no-referrer', 'no-referrer', 'no-referrer', 'no-referrer']);
  expect(referrers(true)).toEqual(['same-origin', 'same-origin', 'same-origin', 'no-referrer']);
});
