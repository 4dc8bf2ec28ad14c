// Compares two sides: each is warmed up, then they are measured in turns, so that other load on the machine affects both.

const middle = (values) => {
  const sorted = values.filter((value) => value !== null).sort((a, b) => a - b);
  return sorted.length === 0 ? null : (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

export { middle as median };

/**
 * Measures ours beside a reference. Each side is `(ms) => Promise<{ value, cpu, databaseCpu }>`.
 * @param {{ warmUpMs: number, sliceMs: number, rounds: number }} plan
 * @param {(ours: object, reference: object) => number} judge compares the two slices of one round
 * @returns the medians of each side and of the rounds' verdicts, and the range of the verdicts
 */
export async function compare(plan, sides, judge = (ours, reference) => ours.value / reference.value) {
  const rounds = [];
  for (const run of [sides.ours, sides.reference]) await run(plan.warmUpMs);
  for (let round = 0; round < plan.rounds; round++) {
    const measured = {};
    const order = round % 2 === 0 ? ['ours', 'reference'] : ['reference', 'ours'];
    for (const side of order) measured[side] = await sides[side](plan.sliceMs);
    rounds.push({ ...measured, verdict: judge(measured.ours, measured.reference) });
  }
  const of = (side) => {
    const middleOf = (figure) => middle(rounds.map((round) => round[side][figure] ?? null));
    return { value: middleOf('value'), cpu: middleOf('cpu'), databaseCpu: middleOf('databaseCpu') };
  };
  const verdicts = rounds.map(({ verdict }) => verdict);
  return { ours: of('ours'), reference: of('reference'), verdict: middle(verdicts), range: [Math.min(...verdicts), Math.max(...verdicts)] };
}
