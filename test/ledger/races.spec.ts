import { run } from './races.js';

describe('the ledger, on eight connections at once', () => {
  it('applies overlapping batches without exceptions or deadlocks, and the audit is zero meanwhile', async () => {
    await run('storm', 120);
  });

  it('locks opposite orders of accounts, keys and hot accounts without a deadlock, also with failures', async () => {
    await run('crossing', 30);
  });

  it('gives one hold, one balance and one key to exactly one caller', async () => {
    await run('narrow', 30);
  });
});
