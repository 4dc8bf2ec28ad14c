import { csvLine } from './history-file.service.js';

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
    ['\t=1', '"\'\t\'=1"'],
    ['\r=1', '"\'\r\'=1"'],
    ["\n=cmd|' /C calc'!A0", `"'\n'=cmd|' /C calc'!A0"`],
    ['\n1', '"\'\n1"'],
    ['a;=1+1', '"a;\'=1+1"'],
    ['a;"=1+1', '"a;""\'=1+1"'],
    ['a\n=1+1\n-1', '"a\n\'=1+1\n\'-1"'],
    ['a;b', '"a;b"'],
    ['a; b = 1', '"a; b = 1"'],
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
