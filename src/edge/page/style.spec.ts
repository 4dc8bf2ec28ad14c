import { ASSETS } from './assets.js';

const css = ASSETS.style.body.toString();

/** The palette of the stylesheet: the light and dark colour of each name. */
const tokens = new Map(
  [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    [light, dark] as const,
  ]),
);

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const TEXT = 4.5;
const EDGE = 3;

it.each<[string, string, number, number, number]>([
  ['text', 'bg', 16.7, 16.2, TEXT],
  ['text', 'surface', 17.8, 15.0, TEXT],
  ['text', 'sunken', 15.8, 13.3, TEXT],
  ['text', 'wash', 15.2, 11.9, TEXT],
  ['muted', 'bg', 6.1, 8.5, TEXT],
  ['muted', 'surface', 6.6, 7.9, TEXT],
  ['muted', 'sunken', 5.8, 7.0, TEXT],
  ['muted', 'wash', 5.6, 6.3, TEXT],
  ['muted', 'money-wash', 5.9, 7.1, TEXT],
  ['accent', 'surface', 7.0, 8.9, TEXT],
  ['accent', 'bg', 6.5, 9.6, TEXT],
  ['accent', 'wash', 6.0, 7.0, TEXT],
  ['on-accent', 'accent', 7.0, 8.4, TEXT],
  ['money', 'surface', 7.0, 9.7, TEXT],
  ['money', 'money-wash', 6.4, 8.8, TEXT],
  ['on-money', 'money', 7.0, 9.4, TEXT],
  ['bad', 'surface', 6.8, 8.0, TEXT],
  ['bad', 'bad-wash', 5.9, 7.3, TEXT],
  ['on-bad', 'bad', 6.8, 8.1, TEXT],
  ['good', 'surface', 7.0, 9.8, TEXT],
  ['good', 'good-wash', 6.1, 8.6, TEXT],
  ['edge', 'surface', 3.9, 4.4, EDGE],
  ['edge', 'bg', 3.6, 4.7, EDGE],
  ['edge', 'sunken', 3.4, 3.9, EDGE],
])('%s on %s has contrast %d in light and %d in dark', (front, back, light, dark, least) => {
  const [fore, ground] = [tokens.get(front), tokens.get(back)];
  if (!fore || !ground) throw new Error(`The stylesheet has no --${fore ? back : front}`);
  const ratios = [contrast(fore[0], ground[0]), contrast(fore[1], ground[1])];
  expect(ratios.map((ratio) => Math.round(ratio * 10) / 10)).toEqual([light, dark]);
  expect(Math.min(...ratios)).toBeGreaterThanOrEqual(least);
});

it('defines every colour once, and uses only defined ones', () => {
  const rules = css.replace(/:root \{[^}]*\}/, '');
  expect([...rules.matchAll(/#[0-9a-f]{3,8}\b/g)].map(([colour]) => colour)).toEqual([]);
  const used = new Set([...rules.matchAll(/var\(--([a-z-]+)/g)].map(([, name]) => name));
  expect([...tokens.keys()].filter((name) => !used.has(name))).toEqual([]);
});

it('has no animation and never hides the focus', () => {
  expect(css).not.toMatch(/animation|transition|@keyframes/);
  expect(css).toMatch(/:focus-visible \{\s*outline: 2px solid var\(--accent\);\s*outline-offset: 2px;/);
});
