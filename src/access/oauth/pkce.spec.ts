import { answersChallenge, isChallenge } from './pkce.js';

// RFC 7636 appendix B
const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('answersChallenge', () => {
  it('accepts the example of RFC 7636', () => {
    expect(answersChallenge(VERIFIER, CHALLENGE)).toBe(true);
  });

  it.each([
    ['another verifier', `${VERIFIER.slice(0, -1)}l`],
    ['the challenge itself', CHALLENGE],
    ['nothing', ''],
    ['too short', 'a'.repeat(42)],
    ['too long', 'a'.repeat(129)],
    ['a character that it may not have', `${VERIFIER.slice(0, -1)}+`],
    ['something after it', `${VERIFIER}\n`],
  ])('refuses %s', (_what, verifier) => {
    expect(answersChallenge(verifier, CHALLENGE)).toBe(false);
  });
});

it('checks the form of a challenge', () => {
  expect(isChallenge(CHALLENGE)).toBe(true);
  for (const text of ['', CHALLENGE.slice(1), `${CHALLENGE}a`, CHALLENGE.replace('-', '+'), `${CHALLENGE}=`])
    expect(isChallenge(text)).toBe(false);
});
