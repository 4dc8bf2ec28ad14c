// CPU an operation as ratios, which differ less between machines than microseconds: a case's `cost` names those that it has, and their targets.

/** What each ratio compares. */
const RATIOS = {
  postgres: { name: 'PostgreSQL / floor', of: ({ ours, reference }) => ours.databaseCpu / reference.databaseCpu },
  node: { name: 'Node / `me` in mercurius with jit', of: ({ ours }, { jit }) => ours.cpu / jit },
  all: { name: 'Node and PostgreSQL / Node of the reference', of: ({ ours, reference }) => (ours.cpu + ours.databaseCpu) / reference.cpu },
};

/**
 * @param rows of the run; `me` is among them, or the ratios that need it are left out
 * @returns `{ title, name, ratio, target }` of each ratio that the run has measured
 */
export function costsOf(rows) {
  const jit = rows.find(({ benchmark }) => benchmark.name === 'me')?.result.reference.cpu ?? NaN;
  return rows.flatMap(({ benchmark: { title, cost = {} }, result }) =>
    Object.entries(cost)
      .map(([kind, target]) => ({ title, name: RATIOS[kind].name, ratio: RATIOS[kind].of(result, { jit }), target }))
      .filter(({ ratio }) => Number.isFinite(ratio)),
  );
}
