import { randomBytes } from 'node:crypto';
import { COMMANDS } from '../../src/cli/commands.js';
import { parserOf } from '../../src/cli/command-line.js';
import { SettlementStore } from '../../src/money/invoice/index.js';
import { LightningNode } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';

describe('a settlement of an unknown invoice', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  beforeAll(async () => {
    app = await createTestApp();
    fixture = new Fixture(app);
    alice = await fixture.user();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** The hash of an invoice that the node has and Sluice does not, paid from outside. */
  const unclaimed = async (sats: bigint): Promise<string> => {
    const request = { amountMsat: sats * 1_000n, expirySeconds: 600, preimage: randomBytes(32).toString('hex') };
    const made = await app.get(LightningNode).createInvoice(request);
    if (made.status !== 'created') throw new Error(`The invoice is ${made.status}`);
    await fixture.simulator.payOutside(made.paymentRequest);
    await eventually(async () => (await waiting()).includes(made.paymentHash));
    return made.paymentHash;
  };
  const waiting = async (): Promise<string[]> => (await app.get(SettlementStore).listToReview(100)).map(({ paymentHash }) => paymentHash);
  const run = async (...words: string[]): Promise<string> => {
    const lines: string[] = [];
    const parser = parserOf(COMMANDS, 'sluice', '', (command, args) => command.run(app.sluice.app, args, (line) => lines.push(line)));
    await parser.parseAsync(words, { from: 'user' });
    return lines.join('\n');
  };
  const book = (hash: string, to: string): Promise<string> =>
    run('settlement', 'book', hash, '--to', to, '--because', 'the sender says so');

  it('is booked to its recipient once, shows in the history, and is in the log of operators', async () => {
    const hash = await unclaimed(70n);
    const before = await alice.sats();
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => book(hash, alice.username)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await alice.sats()).toBe(before + 70);
    expect(await waiting()).not.toContain(hash);
    const { rows: history } = await app.pool.query('SELECT direction, status, amount::int FROM transaction WHERE payment_hash = $1', [
      hash,
    ]);
    expect(history).toEqual([{ direction: 'RECEIVE', status: 'SUCCESS', amount: 70_000 }]);
    const { rows: actions } = await app.pool.query('SELECT action, because, details FROM operator_action WHERE subject = $1', [hash]);
    expect(actions).toEqual([
      {
        action: 'settlement book',
        because: 'the sender says so',
        details: expect.objectContaining({ msat: '70000', account: alice.accountId }),
      },
    ]);
    await expect(book(hash, alice.username)).rejects.toThrow(/No unclaimed settlement has this payment hash, or it was booked before/);
  });

  it('goes to no account that there is not, and nothing is booked that is not unclaimed', async () => {
    const hash = await unclaimed(30n);
    await expect(book(hash, 'zelda')).rejects.toThrow('There is no user "zelda"');
    await expect(book(hash, '00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no account with this id');
    await expect(book('ab', alice.username)).rejects.toThrow(/payment hash must be 64 hexadecimal digits/);
    await expect(run('settlement', 'book', hash, '--to', alice.username, '--because', ' ')).rejects.toThrow('--because must not be empty');
    const invoice = await alice.invoice(5);
    await fixture.simulator.payOutside(invoice.paymentRequest);
    await expect(book(invoice.paymentHash, alice.username)).rejects.toThrow(/No unclaimed settlement/);
    expect(await waiting()).toEqual([hash]);
  });
});
