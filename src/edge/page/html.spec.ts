import { attributes, escapeHtml, html, raw, type Html } from './html.js';

const print = (markup: Html): string => markup.toString();

describe('html', () => {
  it('escapes characters that could end a text, a tag or an attribute', () => {
    expect(print(html`<p title="${`"'`}">${'<b>&amp;</b>'}</p>`)).toBe('<p title="&quot;&#39;">&lt;b&gt;&amp;amp;&lt;/b&gt;</p>');
    expect(escapeHtml('plain')).toBe('plain');
  });

  it('passes markup, joins lists, and prints null, undefined and false as an empty string', () => {
    expect(print(html`${html`<b>${'<'}</b>`}${[1, 2n, html`<i></i>`, ['x', null]]}${null}${undefined}${false}`)).toBe(
      '<b>&lt;</b>12<i></i>x',
    );
    expect(print(html`${0}${''}`)).toBe('0');
  });

  it('escapes an object that only has the shape of markup', () => {
    const forged = { toString: () => '<script>' } as unknown as Html;
    expect(print(html`${forged}`)).toBe('&lt;script&gt;');
  });

  it('prints constants without escaping', () => {
    expect(print(html`${raw('<!doctype html>')}`)).toBe('<!doctype html>');
  });
});

describe('attributes', () => {
  it('prints names, quoted values and flags, and omits attributes that are off', () => {
    expect(print(attributes({ id: 'a"b', width: 2, required: true, hidden: false, title: null, lang: undefined }))).toBe(
      'id="a&quot;b" width="2" required',
    );
  });
});
