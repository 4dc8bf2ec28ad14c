import fc from 'fast-check';
import { OneApplication } from './host.js';
import { SystemUnderTest } from './system-under-test.js';
import { Model } from './model.js';
import { comeToRest, stepsOf } from './steps.js';

const PEOPLE = 4;
/** The suite's share. `npm run fuzz` sets its own. */
const SECONDS = Number(process.env['FUZZ_SECONDS'] ?? 8);
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

jest.setTimeout((SECONDS + 900) * 1_000);

/** Shrinking a failure to its shortest steps builds many systems. */
const SHRINKS = process.env['FUZZ_SHRINK'] !== undefined;

let system: SystemUnderTest | undefined;
let spoiled = false;

afterAll(() => system?.close());

/** All runs use one system, until a run has failed on it. */
async function houseOf(): Promise<SystemUnderTest> {
  if (spoiled) await system?.close();
  if (!system || spoiled) system = new SystemUnderTest(await OneApplication.start(PEOPLE, 1_000));
  spoiled = false;
  return system;
}

describe('balances, against a small model', () => {
  it(`equal the model after random steps of people, outside nodes and time (from seed ${SEED} on)`, async () => {
    const until = Date.now() + SECONDS * 1_000;
    // Each run has a seed of its own, so that one that fails can be run alone: npm run fuzz -- --seconds 1 --seed S
    for (let seed = SEED; Date.now() < until; seed++) await fc.assert(everythingAddsUp, { seed, numRuns: 1, endOnFailure: !SHRINKS });
  });
});

const everythingAddsUp = fc.asyncProperty(stepsOf(PEOPLE, { maxCommands: 40, size: '+1' }), async (steps) => {
  const real = await houseOf();
  spoiled = true;
  real.renewLimitedKeys();
  const model = new Model(await Promise.all(Array.from({ length: PEOPLE }, (_, n) => real.sats(n))));
  await fc.asyncModelRun(() => ({ model, real }), steps);
  await comeToRest(model, real);
  spoiled = false;
});
