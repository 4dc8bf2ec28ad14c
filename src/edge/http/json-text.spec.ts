import { faultOfJson } from './json-text.js';

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('JSON that is refused', () => {
  it.each(['{"a":1}', '[]', '', '"', '{"a":"\\\\"}', nested(64), '[[],[],{}]'.repeat(500), `"${nested(500)}"`, `{"\\"${nested(99)}":1}`])(
    'is not text %#',
    (text) => expect(faultOfJson(text)).toBeUndefined(),
  );

  it.each([nested(65), '{"a":'.repeat(65), `{"a":"\\\\",${'['.repeat(65)}`, '['.repeat(100_000)])('is text nested deeply %#', (text) =>
    expect(faultOfJson(text)).toBe('The JSON is nested more than 64 levels deep'),
  );

  it.each([
    '0',
    '-0',
    '2',
    '2.0',
    '2.000000000000000000000',
    '0.00',
    '1.5',
    '1.25e1',
    '1e3',
    '10e-1',
    '120e-1',
    '1.50e1',
    '0e-9',
    '1e400',
    '-1.75',
  ])('is not the number %s', (number) => expect(faultOfJson(`{"a":[${number}]}`)).toBeUndefined());

  it.each([
    ['1.9999999999999999999', '2'],
    ['-1.9999999999999999999', '-2'],
    ['19999999999999999999e-19', '2'],
    ['0.19999999999999999999e1', '2'],
    ['9007199254740993.5', '9007199254740994'],
    ['1e-400', '0'],
    ['1.00000000000000000001', '1'],
  ])('is the number %s, which would be %s', (number, as) =>
    expect(faultOfJson(`{"a":"1.9","b":[1.5,${number}]}`)).toBe(
      `The number ${number} has more digits than a number can hold: it would be read as ${as}`,
    ),
  );
});
