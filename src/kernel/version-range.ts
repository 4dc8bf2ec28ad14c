const COMPARATOR = /^(\^|~|>=|<=|>|<|=)?(\d{1,3})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?$/;
const VERSION = /^(\d{1,3})\.(\d{1,6})\.(\d{1,6})(?:[-+].*)?$/;

/** One number that orders versions as semantic versioning does; a pre-release counts as its release. */
const keyOf = (major: number, minor = 0, patch = 0): number => (major * 1e6 + minor) * 1e6 + patch;

/**
 * Is a version in a range as npm writes it: `^0.2`, `~1.4.2`, `1`, or comparators that must all hold, such as `>=0.2 <0.4`?
 * Alternatives (`||`) and `x` are not known here.
 * @returns undefined when the range cannot be read
 */
export function isInRange(version: string, range: string): boolean | undefined {
  const [, ...parts] = VERSION.exec(version) ?? [];
  const key = keyOf(...(parts.map(Number) as [number, number, number]));
  const bounds = range.trim().split(/\s+/).map(boundsOf);
  if (parts.length === 0 || bounds.includes(undefined)) return undefined;
  return bounds.every((bound) => bound && key >= bound.from && key < bound.before);
}

function boundsOf(comparator: string): { from: number; before: number } | undefined {
  const [, operator = '=', major, minor, patch] = COMPARATOR.exec(comparator) ?? [];
  if (major === undefined) return undefined;
  const [a, b, c] = [Number(major), Number(minor ?? 0), Number(patch ?? 0)];
  const from = keyOf(a, b, c);
  const [nextMajor, nextMinor] = [keyOf(a + 1), keyOf(a, b + 1)];
  const next = minor === undefined ? nextMajor : patch === undefined ? nextMinor : from + 1;
  switch (operator) {
    case '^':
      return { from, before: a > 0 || minor === undefined ? nextMajor : b > 0 || patch === undefined ? nextMinor : next };
    case '~':
      return { from, before: minor === undefined ? nextMajor : nextMinor };
    case '>=':
      return { from, before: Infinity };
    case '>':
      return { from: next, before: Infinity };
    case '<':
      return { from: 0, before: from };
    case '<=':
      return { from: 0, before: next };
    default:
      return { from, before: next };
  }
}
