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
const IS_FUZZ = process.env['FUZZ_SECONDS'] !== undefined;
/** Each run has a seed of its own. One that follows it on another machine has other times, so other payments may win. */
const SIZE = IS_FUZZ ? ({ maxCommands: 40, size: '+1' } as const) : { maxCommands: 12 };

jest.setTimeout((SECONDS + 900) * 1_000);

let system: SystemUnderTest<Processes>;
let steps = 0;

beforeAll(async () => {
  system = new SystemUnderTest(await Processes.start(PROCESSES, PEOPLE, 1_000));
});
afterAll(() => system?.close());

describe(`balances on ${PROCESSES} processes that are killed, against a small model`, () => {
  it(`equal the model after random steps and crashes (from seed ${SEED} on)`, async () => {
    const until = Date.now() + SECONDS * 1_000;
    let seed = SEED;
    do await fc.assert(everythingAddsUp, { seed: seed++, numRuns: 1, endOnFailure: true });
    while (Date.now() < until);
    if (IS_FUZZ) process.stdout.write(`${seed - SEED} runs, ${steps} steps\n`);
  });
});

const everythingAddsUp = fc.asyncProperty(crashingStepsOf(PEOPLE, SIZE), async (plan) => {
  system.renewLimitedKeys();
  const model = new Model(await Promise.all(Array.from({ length: PEOPLE }, (_, n) => system.sats(n))));
  await fc.asyncModelRun(() => ({ model, real: system }), plan);
  steps += [...plan].length;
  await comeToRest(model, system);
});
