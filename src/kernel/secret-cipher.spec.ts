import { randomBytes } from 'node:crypto';
import { decrypt, encrypt, SecretCipher } from './secret-cipher.js';

const text = Buffer.from('a seed');

describe('SecretCipher', () => {
  const box = new SecretCipher('a'.repeat(32));

  it('opens what it sealed, and seals the same text to different bytes each time', () => {
    const [one, other] = [box.seal(text, 'totp 1'), box.seal(text, 'totp 1')];
    expect(box.open(one, 'totp 1')).toEqual(text);
    expect(one.equals(other)).toBe(false);
    expect(one.includes(text)).toBe(false);
  });

  it('refuses another context, a changed byte and a truncated box', () => {
    const sealed = box.seal(text, 'totp 1');
    expect(() => box.open(sealed, 'totp 2')).toThrow();
    for (let at = 0; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => box.open(changed, 'totp 1')).toThrow();
      expect(() => box.open(sealed.subarray(0, at), 'totp 1')).toThrow();
    }
  });

  it('opens what the previous secret sealed, and seals with the present one', () => {
    const rotated = new SecretCipher('b'.repeat(32), 'a'.repeat(32));
    expect(rotated.open(box.seal(text, 'c'), 'c')).toEqual(text);
    expect(() => box.open(rotated.seal(text, 'c'), 'c')).toThrow(/SECRET_KEY_PREVIOUS/);
  });
});

describe('encrypt', () => {
  it('output opens with its own key only', () => {
    const key = randomBytes(32);
    const sealed = encrypt(key, text, 'c');
    expect(decrypt(key, sealed, 'c')).toEqual(text);
    expect(() => decrypt(randomBytes(32), sealed, 'c')).toThrow();
  });
});
