const NUMERIC = { numeric: true } as const;

/** Orders versions: negative when `one` is before `other`. A pre-release (`1.2.0-rc.1`) is before its release. */
export function compareReleases(one: string, other: string): number {
  const [[core = '', ...pre], [otherCore = '', ...otherPre]] = [one.split('-'), other.split('-')];
  if (core !== otherCore) return core.localeCompare(otherCore, 'en', NUMERIC);
  if (pre.length === 0 || otherPre.length === 0) return otherPre.length - pre.length;
  return pre.join('-').localeCompare(otherPre.join('-'), 'en', NUMERIC);
}
