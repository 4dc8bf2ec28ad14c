import { faultOfRedirectUri, isRegistered } from './redirect-uri.js';

const HTTPS = 'https://app.example/cb';

describe('isRegistered', () => {
  const shop = { confidential: true, redirectUris: [HTTPS, 'https://app.example/q?tenant=1', 'http://127.0.0.1:7777/cb'] };

  it('accepts a registered address, byte for byte', () => {
    for (const uri of shop.redirectUris) expect(isRegistered(uri, shop)).toBe(true);
  });

  // docs/oauth-security.md A-03
  it.each([
    'https://app.example/cb/',
    'https://app.example/cb/../x',
    'https://app.example/%2e%2e/cb',
    'https://app.example/x/../cb',
    'https://app.example//cb',
    'https://app.example/cb//evil.example',
    'https://app.example\\evil.example/cb',
    'https://app.example/cb\\evil',
    'https://app.example/cb?a=b',
    'https://app.example/cb?',
    'https://app.example/cb#f',
    'https://app.example/cb#',
    'https://app.example@evil.example/cb',
    'https://evil@app.example/cb',
    'https://app.example./cb',
    'https://APP.example/cb',
    'https://app.example/CB',
    'HTTPS://app.example/cb',
    'https://app.example/cb%20',
    'https://app.example/cb ',
    ' https://app.example/cb',
    'https://app.example/cb\t',
    'https://app.example/cb\n',
    'https://app.example/c\u0000b',
    'https://app.example:443/cb',
    'http://app.example/cb',
    'https://app。example/cb',
    'https://app%2eexample/cb',
    'https://app.example/%2563b',
    'https://evil.example/cb',
    'https://app.example.evil.example/cb',
    '//app.example/cb',
    'javascript:alert(1)',
    'https://app.example/q?tenant=2',
    'https://app.example/q?tenant=1&tenant=2',
    'https://app.example/q',
    '',
  ])('refuses %j', (uri) => {
    expect(isRegistered(uri, shop)).toBe(false);
  });

  describe('for an app on the user’s machine (RFC 8252 section 7.3)', () => {
    const uris = ['http://127.0.0.1/cb', 'http://[::1]:5000/cb?a=1', 'http://localhost:3000/cb', 'com.example.app:/cb'];
    const native = { confidential: false, redirectUris: uris };

    it.each([
      'http://127.0.0.1:51004/cb',
      'http://127.0.0.1/cb',
      'http://127.0.0.1:1/cb',
      'http://[::1]:6000/cb?a=1',
      'http://[::1]/cb?a=1',
      'http://localhost/cb',
      'http://localhost:51004/cb',
      ...uris,
    ])('accepts %s', (uri) => {
      expect(isRegistered(uri, native)).toBe(true);
    });

    // docs/oauth-security.md A-04
    it.each([
      'http://127.0.0.1.evil.example/cb',
      'http://127.0.0.1.evil.example:80/cb',
      'http://localhost:3001/other',
      'http://localhost.evil.example:3000/cb',
      'http://LOCALHOST:3000/cb',
      'http://127.0.0.1:51004/other',
      'http://127.0.0.1:51004/cb/',
      'http://127.0.0.1:51004/cb?a=1',
      'http://127.0.0.1:51004/cb#f',
      'http://[::1]:6000/cb',
      'http://[::1]:6000/cb?a=2',
      'https://127.0.0.1:51004/cb',
      'http://0x7f.1/cb',
      'http://2130706433/cb',
      'http://[::ffff:127.0.0.1]/cb',
      'http://127.0.0.1:99999/cb',
      'http://127.0.0.1:/cb',
      'http://127.0.0.1:80@evil.example/cb',
      'http://evil@127.0.0.1/cb',
      'http://127.0.0.1:51004',
      'http://127.0.0.2/cb',
      'com.example.app:/cb2',
      'com.example.app://cb',
    ])('refuses %j', (uri) => {
      expect(isRegistered(uri, native)).toBe(false);
    });

    it('compares the port for an app with a secret', () => {
      expect(isRegistered('http://127.0.0.1:51004/cb', { ...native, confidential: true })).toBe(false);
    });
  });
});

describe('faultOfRedirectUri', () => {
  it.each([
    HTTPS,
    'https://app.example',
    'https://app.example:8443/a/b?tenant=1',
    'http://localhost:5555/callback',
    'http://127.0.0.1/cb',
    'http://[::1]:9/cb',
    'com.example.app:/callback',
  ])('accepts %s at registration', (uri) => {
    expect(faultOfRedirectUri(uri)).toBeUndefined();
  });

  it.each([
    ['http://app.example/cb', /https/],
    ['http://0x7f.1/cb', /https/],
    ['http://2130706433/cb', /https/],
    ['http://localhost.evil.example/cb', /https/],
    ['http://127.0.0.1.evil.example/cb', /https/],
    ['https://*.example/cb', /wildcard/],
    ['https://app.example/cb#', /fragment/],
    ['https://app.example\\evil.example/', /backslash/],
    ['https://user@app.example/cb', /user name/],
    ['https://@app.example/cb', /user name/],
    ['https://a:b@app.example/cb', /user name/],
    ['https://app.example/a/../cb', /\.\./],
    ['https://app.example/a/%2e%2E/cb', /\.\./],
    ['https://app.example/..', /\.\./],
    ['https:app.example/cb', /https:\/\//],
    ['/cb', /absolute/],
    ['app.example/cb', /absolute/],
    ['javascript:alert(1)', /javascript:/],
    ['data:text/html,x', /data:/],
    ['vbscript:x', /vbscript:/],
    ['file:///etc/passwd', /file:/],
    ['blob:https://app.example/x', /blob:/],
    ['myapp:/cb', /dot/],
    ['https://app.example/c b', /ASCII/],
    ['https://app.example/c\nb', /ASCII/],
    ['https://app.example/ü', /ASCII/],
    ['https://app.example/c\0b', /ASCII/],
    ['', /ASCII/],
    [`https://app.example/${'x'.repeat(2_000)}`, /2000/],
    // docs/oauth-security.md A-07
    ['https://app.example/cb?code=1', /code/],
    ['https://app.example/cb?a=1&state=x', /state/],
    ['https://app.example/cb?iss=https://evil.example', /iss/],
    ['https://app.example/cb?%63ode=1', /code/],
  ])('refuses %j at registration', (uri, reason) => {
    expect(faultOfRedirectUri(uri)).toMatch(reason);
  });
});
