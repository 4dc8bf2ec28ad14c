// Durations and options of a run.
const FULL = { warmUpMs: 3_000, sliceMs: 3_000, rounds: 5, starts: 5, idleMs: 10_000 };
const QUICK = { warmUpMs: 1_000, sliceMs: 1_000, rounds: 3, starts: 2, idleMs: 3_000 };

export const USAGE = `npm run bench [-- options]
  --quick            under 90 seconds; the figures are coarse, and bench/results.md is left alone
  --only <a,b,...>   these cases only; bench/results.md is left alone
  --profile <dir>    the server's CPU profile goes there; figures suffer`;

/**
 * @param {readonly string[]} args of the command
 * @param {readonly string[]} known names of all cases
 * @throws Error with a sentence
 */
export function planOf(args, known) {
  const rest = [...args];
  const asked = { quick: false, only: known, profileDir: undefined };
  while (rest.length > 0) {
    const option = rest.shift();
    if (option === '--quick') asked.quick = true;
    else if (option === '--only') asked.only = (rest.shift() ?? '').split(',');
    else if (option === '--profile') asked.profileDir = rest.shift();
    else throw new Error(`There is no option ${option}.\n${USAGE}`);
  }
  const stranger = asked.only.find((name) => !known.includes(name));
  if (stranger !== undefined) throw new Error(`There is no case "${stranger}". There are: ${known.join(', ')}`);
  const complete = !asked.quick && asked.only === known && !asked.profileDir;
  return { ...(asked.quick ? QUICK : FULL), only: asked.only, profileDir: asked.profileDir, complete };
}
