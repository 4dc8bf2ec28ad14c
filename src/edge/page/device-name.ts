type Patterns = readonly (readonly [name: string, pattern: RegExp])[];

/** The first that fits: browsers name those that they are compatible with too. */
const BROWSERS: Patterns = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: Patterns = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['Mac', /\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const MAX_PROGRAM = 20;

const nameIn = (patterns: Patterns, userAgent: string): string | undefined => patterns.find(([, pattern]) => pattern.test(userAgent))?.[0];

/** What a person recognises a session by: "Firefox on Linux", or the name that a program gives itself. */
export function deviceName(userAgent: string): string {
  const [browser, system] = [nameIn(BROWSERS, userAgent), nameIn(SYSTEMS, userAgent)];
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  return userAgent.split(/[\s/(]/, 1)[0]?.slice(0, MAX_PROGRAM) || 'Unknown device';
}
