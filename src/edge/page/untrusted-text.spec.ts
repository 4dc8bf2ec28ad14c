import { NAME_LENGTH, untrustedText, outsideText } from './untrusted-text.js';

describe('outsideText', () => {
  it.each([
    ['plain letters', 'Corner Coffee', 'Corner Coffee'],
    ['space of all kinds', '  two\u00a0 flat\n\twhites\u2028now ', 'two flat whites now'],
    ['bidi controls', 'a\u202eb\u202cc\u2066d\u2069\u200e\u200f\u061ce', 'abcde'],
    ['controls and NUL', 'a\u0000b\u0007c\u007fd\u009be', 'abcde'],
    ['zero-width spaces', 'pay\u200bpal\ufeff\u2060', 'paypal'],
    ['half of a pair', 'a\ud800b', 'ab'],
    ['joined emoji', '👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['right-to-left letters', 'קפה', 'קפה'],
    ['nothing visible', '\u202e \u200b', '(no name)'],
  ])('cleans a text with %s', (_, given, shown) => {
    expect(outsideText(given)).toBe(shown);
  });

  it('keeps 64 characters and cuts the 65th', () => {
    expect(outsideText('x'.repeat(NAME_LENGTH))).toBe('x'.repeat(NAME_LENGTH));
    expect(outsideText('x'.repeat(NAME_LENGTH + 1))).toBe(`${'x'.repeat(NAME_LENGTH - 1)}…`);
  });

  it('cuts between grapheme clusters', () => {
    const shown = outsideText('👩‍👩‍👧‍👦'.repeat(40));
    expect(Array.from(shown).length).toBeLessThanOrEqual(NAME_LENGTH);
    expect(shown).toMatch(/^(👩‍👩‍👧‍👦)+…$/u);
  });

  it('counts a letter with thousands of accents by its code points', () => {
    expect(Array.from(outsideText(`a${'\u0301'.repeat(10_000)}`)).length).toBeLessThanOrEqual(NAME_LENGTH);
  });

  it('cuts a megabyte before it looks at characters', () => {
    // Work in proportion to the square of the length would exceed the time-out of the test.
    expect(outsideText('\u202e '.repeat(500_000)).length).toBeLessThanOrEqual(NAME_LENGTH);
    expect(outsideText('x '.repeat(500_000)).length).toBeLessThanOrEqual(NAME_LENGTH);
  });
});

it('isolates its direction and escapes it in a page', () => {
  expect(untrustedText('<b>\u202e').toString()).toBe('<bdi>&lt;b&gt;</bdi>');
});
