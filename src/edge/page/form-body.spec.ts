import fc from 'fast-check';
import { parseForm } from './form-body.js';

it('parses what browsers send', () => {
  const form = parseForm('email=a%2Bb%40example.test&name=Two+flat+whites&scope=read&scope=write&empty=&flag');
  expect(form.text('email')).toBe('a+b@example.test');
  expect(form.text('name')).toBe('Two flat whites');
  expect(form.list('scope')).toEqual(['read', 'write']);
  expect([form.text('empty'), form.text('flag'), form.text('absent')]).toEqual(['', '', '']);
  expect(form.list('absent')).toEqual([]);
});

it('reports repeated fields and returns none of their values', () => {
  const form = parseForm('csrf=good&csrf=bad&decision=allow');
  expect(form.repeated).toEqual(['csrf']);
  expect(form.text('csrf')).toBe('');
});

it('does not nest: names with brackets stay names', () => {
  const form = parseForm('__proto__=x&constructor=y&scope[]=read&a[b]=c&__proto__[admin]=1&toString=z');
  expect([...form.values.keys()]).toEqual(['__proto__', 'constructor', 'scope[]', 'a[b]', '__proto__[admin]', 'toString']);
  expect(form.text('__proto__')).toBe('x');
  expect(form.list('scope')).toEqual([]);
  expect(Object.prototype).not.toHaveProperty('admin');
});

it('finds U+0000 in names and values', () => {
  expect(parseForm('a=b%00c').hasNul).toBe(true);
  expect(parseForm('a%00=b').hasNul).toBe(true);
  expect(parseForm('a=b').hasNul).toBe(false);
});

it('never throws and never loses a field', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }))), (pairs) => {
      const form = parseForm(new URLSearchParams(pairs).toString());
      expect([...form.values].flatMap(([name, values]) => values.map((value) => [name, value]))).toHaveLength(pairs.length);
    }),
  );
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (body) => void parseForm(body)));
});
