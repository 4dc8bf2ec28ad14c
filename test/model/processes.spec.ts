import fc from 'fast-check';
import { crashingStepsOf } from './crash-steps.js';
import { Model } from './model.js';
import { Processes } from './processes.host.js';
import { comeToRest } from './steps.js';
import { SystemUnderTest } from './system-under-test.js';

const PEOPLE = 4;
const PROCESSES = 3;
/** The suite's share: one run. `npm run fuzz -- --processes` sets its own. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 1);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);
/** Each run has a seed of its own. One that follows it on another machine has other times, so other payments may win. */
const SIZE = process.env['FUZZ_SECONDS'] === undefined ? { maxCommands: 12 } : ({ maxCommands: 40, size: '+1' } as const);

jest.setTimeout((SECONDS + 600) * 1_000);

let system: SystemUnderTest<Processes>;

beforeAll(async () => {
  system = new SystemUnderTest(await Processes.start(PROCESSES, PEOPLE, 1_000));
});
afterAll(() => system?.close());

describe(`balances on ${PROCESSES} processes that are killed, against a small model`, () => {
  it(`equal the model after random steps and crashes (from seed ${SEED} on)`, async () => {
    const until = Date.now() + SECONDS * 1_000;
    let runs = 0;
    for (let seed = SEED; runs === 0 || Date.now() < until; seed++, runs++)
      await fc.assert(everythingAddsUp, { seed, numRuns: 1, endOnFailure: true });
  });
});

const everythingAddsUp = fc.asyncProperty(crashingStepsOf(PEOPLE, SIZE), async (steps) => {
  const model = new Model(await Promise.all(Array.from({ length: PEOPLE }, (_, n) => system.sats(n))));
  await fc.asyncModelRun(() => ({ model, real: system }), steps);
  await comeToRest(model, system);
});
