import { playAgainstModel } from './against-model.js';

const SEEDS = Array.from({ length: 18 }, (_, seed) => seed);
const RESULTS = [
  'ok',
  'invalid',
  'out_of_range',
  'unknown_account',
  'duplicate',
  'conflict',
  'hold_not_open',
  'hold_exceeded',
  'insufficient',
];

describe('the ledger, against a model in memory', () => {
  const seen = new Map<string, number>();

  it.each(SEEDS)('answers and books random batches of seed %i as the model does', async (seed) => {
    const tally = await playAgainstModel({ seed, batches: 40 });
    for (const [result, count] of tally) seen.set(result, (seen.get(result) ?? 0) + count);
  });

  it('has met every result often', () => {
    expect(RESULTS.filter((result) => (seen.get(result) ?? 0) < 30)).toEqual([]);
    expect([...seen.keys()].filter((result) => !RESULTS.includes(result))).toEqual(['replayed']);
    expect(seen.get('replayed')).toBeGreaterThan(3);
  });
});
