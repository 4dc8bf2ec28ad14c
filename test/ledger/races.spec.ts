import { run } from './races.js';

describe('the ledger, from eight connections at once', () => {
  it('overlapping batches: no exception, no deadlock, and the audit is zero while they run', async () => {
    await run('storm', 120);
  });

  it('opposite orders of accounts, keys and hot accounts, with failures in between: nobody waits in a circle', async () => {
    await run('crossing', 30);
  });

  it('one hold, one balance, one key: exactly one wins', async () => {
    await run('narrow', 30);
  });
});
