import { languageOf } from './language.js';

describe('languageOf', () => {
  it.each([
    ['', ''],
    ['en', 'en'],
    ['EN-us', 'en-US'],
    ['pt-br', 'pt-BR'],
    ['zh-hant-tw', 'zh-Hant-TW'],
    ['xh', 'xh'],
  ])('accepts "%s" as "%s"', (tag, canonical) => {
    expect(languageOf(tag)).toBe(canonical);
  });

  it.each(['qq', 'xyz', 'en-', 'e', '-', 'en-u', 'en_US', 'english'])('knows no language "%s"', (tag) => {
    expect(languageOf(tag)).toBeUndefined();
  });
});
