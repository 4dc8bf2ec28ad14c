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
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":{},"a":2}', 'a'],
    ['[[{"b":{"a":[1],"c":"a","a":null}}]]', 'a'],
    ['{"a" :1 , "a"\n:2}', 'a'],
    ['{"amount":1,"am\\u006funt":2}', 'amount'],
    ['{"":1,"":2}', ''],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
    [`{"${'n'.repeat(99)}":1,"${'n'.repeat(99)}":2}`, 'n'.repeat(40)],
  ])('has a name twice in one object: %s', (text, name) => {
    expect(faultOfJson(text)).toBe(`The name ${JSON.stringify(name)} stands twice in one object of the JSON`);
  });

  it('is left to the parser at its first name that is none, because errors take long', () => {
    const parse = jest.spyOn(JSON, 'parse');
    expect(faultOfJson(`{${'"\\x":1,'.repeat(1_000)}}`)).toBeUndefined();
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
  });

  it.each([
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '["a","a"]',
    '{"a":[{"b":1}],"b":[{"a":1}]}',
    '{"a":"\\"a\\":1","b":1}',
    '{"a\\x":1,"a\\x":2}',
    '}}{"a":1}',
    '"a":"a":',
  ])('is not text with equal names in places of their own: %s', (text) => expect(faultOfJson(text)).toBeUndefined());

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
