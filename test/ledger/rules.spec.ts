import { play, rules } from './rules.js';

describe('the ledger', () => {
  it.each(Object.keys(rules))('%s', async (name) => {
    await play(name);
  });
});
