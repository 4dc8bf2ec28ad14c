import { mutants, plant } from './mutants.js';

describe('the rules of the ledger detect that', () => {
  it.each(Object.keys(mutants))('%s', async (name) => {
    const noticed = await plant(name);
    expect(noticed).not.toBe('');
    // A mutant with invalid SQL would prove nothing.
    expect(noticed).not.toMatch(/syntax error|does not exist/);
  });
});
