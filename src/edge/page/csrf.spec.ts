import { loadConfig, type Config } from '../../platform/config/index.js';
import { Csrf } from './csrf.js';

const config = (secret: string, previous?: string): Config =>
  loadConfig(previous === undefined ? {} : { SECRET_KEY_PREVIOUS: previous }, () => secret);
const [ONE, OTHER] = ['1'.repeat(32), '2'.repeat(32)];
const csrf = new Csrf(config(ONE));

it('accepts its own tokens, each different, for the session to which they are bound', () => {
  const [first, second] = [csrf.token('session:a'), csrf.token('session:a')];
  expect(first).not.toBe(second);
  expect([first, second].map((token) => csrf.verify('session:a', token))).toEqual([true, true]);
});

it.each(['session:b', 'interaction:a', 'session:', 'session:a '] as const)('refuses a token of session a for %j', (binding) => {
  expect(csrf.verify(binding, csrf.token('session:a'))).toBe(false);
});

it('refuses every token with one character changed, cut or added', () => {
  const token = csrf.token('session:a');
  const forged = Array.from(token, (character, index) => token.slice(0, index) + (character === 'A' ? 'B' : 'A') + token.slice(index + 1));
  expect([...forged, token.slice(1), `${token}A`, '', 'ä'.repeat(token.length)].filter((each) => csrf.verify('session:a', each))).toEqual(
    [],
  );
});

it('recognises the tokens of the previous secret, and of no other', () => {
  const old = new Csrf(config(OTHER)).token('session:a');
  expect(csrf.verify('session:a', old)).toBe(false);
  expect(new Csrf(config(ONE, OTHER)).verify('session:a', old)).toBe(true);
  expect(new Csrf(config(OTHER)).verify('session:a', new Csrf(config(ONE, OTHER)).token('session:a'))).toBe(false);
});
