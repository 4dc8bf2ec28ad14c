import { ASSETS } from './assets.js';
import { contrast, darkEnough, paletteOf } from './brand-color.js';

const css = ASSETS.style.body.toString();

/** The palette of the stylesheet: the light and dark colour of each name. */
const tokens = new Map(
  [...css.matchAll(/--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g)].map(([, name = '', light = '', dark = '']) => [
    name,
    [light, dark] as const,
  ]),
);

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

describe('the palette of a brand', () => {
  const colors = ['#000000', '#7a1fa2', '#0b57d0', '#8b0000', '#006400', '#ffff00', '#ffffff', '#1a73e8'].map(darkEnough);
  it.each(colors)('has contrast of AA for %s wherever the stylesheet uses it', (color) => {
    const palette = new Map<string, readonly [string, string]>([...tokens, ...Object.entries(paletteOf(color))]);
    const pairs = [
      ...['surface', 'bg', 'wash'].map((ground) => ['accent', ground]),
      ['on-accent', 'accent'],
      ...['text', 'muted'].map((front) => [front, 'wash']),
    ];
    for (const [front = '', back = ''] of pairs)
      for (const mode of [0, 1] as const)
        expect(contrast(palette.get(front)?.[mode] ?? '', palette.get(back)?.[mode] ?? '')).toBeGreaterThanOrEqual(TEXT);
  });

  it('takes a color that is dark enough unchanged, and the nearest for one that is not', () => {
    expect(['#7A1FA2', '#0a6274', '#000000'].map(darkEnough)).toEqual(['#7a1fa2', '#0a6274', '#000000']);
    const nearest = darkEnough('#1a73e8');
    expect([nearest === '#1a73e8', contrast(nearest, '#ffffff') < 6]).toEqual([false, true]);
  });
});
