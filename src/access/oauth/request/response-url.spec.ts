import { OAuthError } from '../oauth-error.js';
import { errorTo, responseUrl, successTo } from './authorization-response.js';

const ISSUER = 'https://wallet.example';
const responseMode = 'query';
const encoded = encodeURIComponent(ISSUER);

it.each([
  ['https://app.example/cb', `https://app.example/cb?code=c&scope=read%20write&state=s&iss=${encoded}`],
  ['https://app.example/cb?tenant=%41', `https://app.example/cb?tenant=%41&code=c&scope=read%20write&state=s&iss=${encoded}`],
  ['https://app.example/cb?', `https://app.example/cb?code=c&scope=read%20write&state=s&iss=${encoded}`],
  ['https://app.example', `https://app.example?code=c&scope=read%20write&state=s&iss=${encoded}`],
  ['com.example.app:/cb', `com.example.app:/cb?code=c&scope=read%20write&state=s&iss=${encoded}`],
])('adds the response parameters to %s and keeps the rest', (redirectUri, url) => {
  expect(responseUrl(successTo({ redirectUri, state: 's', responseMode }, ISSUER, 'c', ['read', 'write']))).toBe(url);
});

it.each(['plain', 'a b+c%20&d=e#f', 'ünïcödé 🦊', '"><svg onload=1>', '\r\nSet-Cookie: a=b', '%00', 'x'.repeat(2_048)])(
  'returns state %j unchanged',
  (state) => {
    const url = responseUrl(
      errorTo({ redirectUri: 'https://app.example/cb', state, responseMode }, ISSUER, new OAuthError('access_denied', 'No')),
    );
    expect(url).toMatch(/^[\x21-\x7e]+$/);
    expect(new URL(url).searchParams.getAll('state')).toEqual([state]);
  },
);

it('omits state where the request had none', () => {
  const fault = new OAuthError('invalid_scope', 'scope is missing');
  const url = responseUrl(errorTo({ redirectUri: 'https://app.example/cb', state: null, responseMode }, ISSUER, fault));
  expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
    error: 'invalid_scope',
    error_description: 'scope is missing',
    iss: ISSUER,
  });
});
