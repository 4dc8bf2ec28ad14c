import { equalHashes, hashToken, isWellFormedToken, mintToken } from './token.js';

describe('a token', () => {
  it('has its prefix, 43 random characters and a checksum of 6, all alphanumeric', () => {
    expect(mintToken('sluice')).toMatch(/^sluice_[0-9A-Za-z]{49}$/);
    expect(mintToken('sluice_at')).toMatch(/^sluice_at_[0-9A-Za-z]{49}$/);
  });

  it('is unique and well-formed, and carries its own prefix, in 10,000 samples', () => {
    const tokens = Array.from({ length: 10_000 }, () => mintToken('sluice_rt'));
    expect(new Set(tokens).size).toBe(10_000);
    expect(tokens.every((token) => isWellFormedToken(token, 'sluice_rt'))).toBe(true);
    expect(tokens.some((token) => isWellFormedToken(token, 'sluice') || isWellFormedToken(token, 'sluice_at'))).toBe(false);
  });

  it('A-47: holds 256 bits: each digit but the first is as likely as any other', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 10_000; n++)
      for (const digit of mintToken('sluice_at').slice('sluice_at_'.length + 1, -6)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    const mean = (10_000 * 42) / 62;
    expect(counts.size).toBe(62);
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(mean * 0.1);
  });

  it('fails its checksum when any one character is changed', () => {
    const token = mintToken('sluice');
    for (let at = 0; at < token.length; at++) {
      const mistyped = token.slice(0, at) + (token[at] === 'a' ? 'b' : 'a') + token.slice(at + 1);
      expect(isWellFormedToken(mistyped, 'sluice')).toBe(false);
    }
  });

  it.each(['', 'sluice_', 'sluice', mintToken('sluice').slice(1), `${mintToken('sluice')}x`, mintToken('sluice').replace(/.$/, '\0')])(
    'is not parsed from %p',
    (text) => {
      expect(isWellFormedToken(text, 'sluice')).toBe(false);
    },
  );

  it('is compared by its hash', () => {
    const token = mintToken('sluice');
    expect(equalHashes(hashToken(token), hashToken(token))).toBe(true);
    expect(equalHashes(hashToken(token), hashToken(mintToken('sluice')))).toBe(false);
    expect(equalHashes(hashToken(token), Buffer.alloc(3))).toBe(false);
  });
});
