import fc from 'fast-check';
import { Sluice } from '../attack/rows/servers.js';
import { agree, connect, killAmid, SCOPES, stepsOf, Step, System } from './authorization-server.js';

/** Few but long: what goes wrong needs a history. */
const STEPS = 30;
const SEED = Number(process.env['FUZZ_SEED'] ?? Date.now() % 2 ** 31);

let sluice: Sluice;
let system: System;
beforeAll(async () => {
  sluice = await Sluice.start();
  system = await System.on(sluice);
});
afterAll(() => sluice?.close());

/** Two apps are connected; one of the processes is killed and started again amid the rest. */
const history = fc
  .tuple(stepsOf(STEPS / 2), fc.nat(11), stepsOf(STEPS / 2))
  .map(([before, n, after]) => [
    ...[0, 1].map((app) => new Step(`connect(${app})`, connect(app, SCOPES, [], 'once'))),
    ...before,
    new Step(`kill(${n})`, killAmid(n)),
    ...after,
  ]);

describe('the authorization server on two processes, of which one is killed, against a small model', () => {
  it(`no live token without a live grant, one successor, no wider scope or audience, no more than the budget (seed ${SEED})`, async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const model = await system.model(2);
        for (const step of steps) await step.run(model, system);
        await agree(model, system);
      }),
      { seed: SEED, numRuns: 1, endOnFailure: true, verbose: 1 },
    );
  });
});
