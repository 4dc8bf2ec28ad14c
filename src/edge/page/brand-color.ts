type Shades = readonly [light: string, dark: string];

/** WCAG 2.2, the least contrast of text (AA). */
const TEXT = 4.5;
const [SURFACE, DARK_SURFACE, INK] = ['#ffffff', '#131a1d', '#04222a'];
/** How much of the colour is in the ground of notices and of the current entry. */
const [WASH, DARK_WASH] = [0.08, 0.25];
const STEP = 0.02;

const channelsOf = (color: string): number[] => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function mix(color: string, into: string, share: number): string {
  const other = channelsOf(into);
  const mixed = channelsOf(color).map((channel, at) => Math.round(channel * (1 - share) + (other[at] ?? 0) * share));
  return `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const washOf = (color: string): string => mix(SURFACE, color, WASH);

/** The first shade on the way to `towards` that has the contrast of text with its grounds. */
function readable(color: string, towards: string, groundsOf: (shade: string) => readonly string[]): string {
  for (let share = 0; share < 1; share += STEP) {
    const shade = mix(color, towards, share);
    if (groundsOf(shade).every((ground) => contrast(shade, ground) >= TEXT)) return shade;
  }
  return towards;
}

/** The nearest darker colour that reaches AA on the light pages: the colour itself where it does. */
export const darkEnough = (color: string): string => readable(color.toLowerCase(), '#000000', (shade) => [washOf(shade)]);

/** What a colour that is {@link darkEnough} replaces in the stylesheet; dark pages get a lighter shade of it. */
export function paletteOf(color: string): Readonly<Record<'accent' | 'on-accent' | 'wash', Shades>> {
  const light = color.toLowerCase();
  const darkWash = mix(DARK_SURFACE, light, DARK_WASH);
  const dark = readable(light, '#ffffff', () => [darkWash, INK]);
  return { accent: [light, dark], 'on-accent': [SURFACE, INK], wash: [washOf(light), darkWash] };
}
