import { randomBytes } from 'node:crypto';
import { decrypt, encrypt, SecretCipher } from './secret-cipher.js';

const text = Buffer.from('a seed');

describe('SecretCipher', () => {
  const cipher = new SecretCipher('a'.repeat(32));

  it('decrypts what it encrypted, and encrypts the same text to different bytes each time', () => {
    const [one, other] = [cipher.encrypt(text, 'totp 1'), cipher.encrypt(text, 'totp 1')];
    expect(cipher.decrypt(one, 'totp 1')).toEqual(text);
    expect(one.equals(other)).toBe(false);
    expect(one.includes(text)).toBe(false);
  });

  it('refuses another context, a changed byte and a truncated ciphertext', () => {
    const ciphertext = cipher.encrypt(text, 'totp 1');
    expect(() => cipher.decrypt(ciphertext, 'totp 2')).toThrow();
    for (let at = 0; at < ciphertext.length; at++) {
      const changed = Buffer.from(ciphertext);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => cipher.decrypt(changed, 'totp 1')).toThrow();
      expect(() => cipher.decrypt(ciphertext.subarray(0, at), 'totp 1')).toThrow();
    }
  });

  it('decrypts what the previous secret encrypted, and encrypts with the present one', () => {
    const rotated = new SecretCipher('b'.repeat(32), 'a'.repeat(32));
    expect(rotated.decrypt(cipher.encrypt(text, 'c'), 'c')).toEqual(text);
    expect(() => cipher.decrypt(rotated.encrypt(text, 'c'), 'c')).toThrow(/SECRET_KEY_PREVIOUS/);
  });
});

describe('encrypt', () => {
  it('output decrypts with its own key only', () => {
    const key = randomBytes(32);
    const ciphertext = encrypt(key, text, 'c');
    expect(decrypt(key, ciphertext, 'c')).toEqual(text);
    expect(() => decrypt(randomBytes(32), ciphertext, 'c')).toThrow();
  });
});
