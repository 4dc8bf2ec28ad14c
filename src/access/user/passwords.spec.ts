import { Metrics } from '../../platform/metrics/index.js';
import { parseOptions } from '@node-rs/argon2';
import { PasswordSettings } from './password.settings.js';
import { Passwords } from './passwords.js';

const always = (): boolean => true;

describe('Passwords', () => {
  const passwords = new Passwords(new PasswordSettings(), new Metrics());
  beforeAll(() => passwords.onModuleInit());

  it('verifies a password, and refuses every other', async () => {
    const stored = await passwords.hash('here', 'correct horse');
    expect(await passwords.verify('here', stored, 'correct horse', always)).toBe('right');
    expect(await passwords.verify('here', stored, 'correct horse ', always)).toBe('wrong');
    expect(await passwords.verify('here', stored, '', always)).toBe('wrong');
  });

  it('hashes by argon2id with 19 MiB, two passes and a random salt', async () => {
    const [one, other] = await Promise.all([passwords.hash('here', 'correct horse'), passwords.hash('here', 'correct horse')]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(parseOptions(one).saltLen).toBe(16);
    expect(one).not.toBe(other);
  });

  it('verifies a password regardless of Unicode composition', async () => {
    const stored = await passwords.hash('here', 'jose\u0301 jose\u0301');
    expect(await passwords.verify('here', stored, 'jos\u00e9 jos\u00e9', always)).toBe('right');
  });

  it('refuses any password for an unknown user', async () => {
    for (const typed of ['', 'unknown', 'x'.repeat(100_000), '\0', '\ud800'])
      expect(await passwords.verify('here', null, typed, always)).toBe('wrong');
  });

  it('refuses a text that cannot be a password without hashing it', async () => {
    const longest = '\u{1F600}'.repeat(256);
    const stored = await passwords.hash('here', longest);
    expect(await passwords.verify('here', stored, longest, always)).toBe('right');
    expect(await passwords.verify('here', stored, `${longest}x`, always)).toBe('wrong');
  });

  it('asks whether to try when the turn comes, not when the attempt arrives', async () => {
    const stored = await passwords.hash('here', 'correct horse');
    let left = 2;
    const tries = Array.from({ length: 30 }, () => passwords.verify('here', stored, 'wrong horse', () => left-- > 0));
    const verdicts = await Promise.all(tries);
    expect(verdicts.filter((verdict) => verdict === 'wrong')).toHaveLength(2);
    expect(verdicts.filter((verdict) => verdict === 'not_tried')).toHaveLength(28);
  });
});
