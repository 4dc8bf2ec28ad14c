import { csvLine } from './csv.js';

describe('csvLine', () => {
  it.each([
    ['plain', 'plain'],
    [null, ''],
    ['a,b', '"a,b"'],
    ['say "hi"', '"say ""hi"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['\r=1', '"\'\r=1"'],
    ['=HYPERLINK("https://x.test","y")', '"\'=HYPERLINK(""https://x.test"",""y"")"'],
    ['＝1', "'＝1"],
    ['a=1', 'a=1'],
  ])('writes the text %j as %s', (text, cell) => {
    expect(csvLine([{ text }])).toBe(`${cell}\r\n`);
  });

  it('writes values of the server as they are', () => {
    expect(csvLine(['2026-01-02', -5, '-1.05'])).toBe('2026-01-02,-5,-1.05\r\n');
  });
});
