import { freezeCommands } from '../../src/operator/act/freeze.command.js';
import { parserOf } from '../../src/cli/command-line.js';
import { LedgerAuditJob } from '../../src/money/ledger/ledger-audit.job.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { eventually } from '../../src/testing/eventually.js';
import { dataOf } from '../support/graphql.js';

const TRANSFER = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code } } }`;
const FROZEN = { status: 'FAILURE', errors: [expect.objectContaining({ code: 'ACCOUNT_FROZEN' })] };
const STOPPED = { status: 'FAILURE', errors: [expect.objectContaining({ code: 'SENDS_STOPPED' })] };
const UNKNOWN_ACCOUNT = '00000000-0000-4000-8000-000000000000';

describe('sends that are stopped', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    // A lock that a test holds ends by the test, and not by a limit that a busy machine reaches.
    app = await createTestApp({ env: { PAYMENT_WAIT_SECONDS: '1', DATABASE_LOCK_MS: '10000' } });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user({ sats: 10_000 })];
  });
  afterEach(async () => {
    await app.pool.query('DELETE FROM payment_freeze');
    await fixture.expectBalanced();
  });
  afterAll(() => app.close());

  /** The output of the command; throws its refusal. */
  const sluice = async (...argv: string[]): Promise<string> => {
    const lines: string[] = [];
    const parser = parserOf(freezeCommands, 'sluice', '', (command, args) => command.run(app.sluice.app, args, (line) => lines.push(line)));
    await parser.parseAsync(argv, { from: 'user' });
    return lines.join('\n');
  };
  const transfer = async (from: Person, to: Person, idempotencyKey?: string): Promise<{ status: string; errors: { code: string }[] }> => {
    const input = { walletId: from.wallets.BTC, recipientWalletId: to.wallets.BTC, amount: 1 };
    const headers = { ...from.as('write'), ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) };
    const made = await dataOf<{ intraLedgerPaymentSend: { status: string; errors: { code: string }[] } }>(
      app.url,
      TRANSFER,
      { input },
      headers,
    );
    return made.intraLedgerPaymentSend;
  };

  it('of one account are refused on every rail, while it receives and others pay', async () => {
    await sluice('freeze', alice.accountId, '--because', 'a stolen key');
    const before = await alice.sats();
    expect(await alice.pay((await fixture.outside(10)).paymentRequest)).toMatchObject(FROZEN);
    expect(await alice.pay((await bob.invoice(10)).paymentRequest)).toMatchObject(FROZEN);
    expect(await transfer(alice, bob)).toMatchObject(FROZEN);
    expect(await alice.sats()).toBe(before);

    expect(await bob.pay((await alice.invoice(10)).paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect(await transfer(bob, alice)).toMatchObject({ status: 'SUCCESS' });
    await fixture.fund(alice, 5);
    expect(await alice.sats()).toBe(before + 16);

    await sluice('thaw', alice.accountId, '--because', 'the key is revoked');
    expect(await transfer(alice, bob)).toMatchObject({ status: 'SUCCESS' });
  });

  it('leave what is in flight to its end, and a repeat its answer', async () => {
    const { paymentRequest, paymentHash } = await fixture.outside(100, { hold: true });
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'PENDING' });
    expect(await transfer(alice, bob, 'before')).toMatchObject({ status: 'SUCCESS' });
    await sluice('freeze', '--because', 'maintenance');
    expect(await alice.pay(paymentRequest)).toMatchObject({ status: 'PENDING', errors: [] });
    expect(await transfer(alice, bob, 'before')).toMatchObject({ status: 'SUCCESS' });
    await fixture.release(paymentHash);
    await eventually(async () => (await alice.pay(paymentRequest)).status === 'ALREADY_PAID');
  });

  it('of all accounts are refused, and succeed under the same idempotency key once they are allowed', async () => {
    await sluice('freeze', '--because', 'the node moves');
    expect(await transfer(alice, bob, 'moved')).toMatchObject(STOPPED);
    expect(await transfer(bob, alice)).toMatchObject(STOPPED);
    await sluice('thaw', '--because', 'the node has moved');
    expect(await transfer(alice, bob, 'moved')).toMatchObject({ status: 'SUCCESS' });
  });

  it('do not begin once the freeze has answered, not even those that waited for a lock before', async () => {
    const locker = await app.pool.connect();
    await locker.query('BEGIN');
    await locker.query('SELECT FROM ledger_account WHERE id = (SELECT ledger_account_id FROM wallet WHERE id = $1) FOR UPDATE', [
      alice.wallets.BTC,
    ]);
    const order: string[] = [];
    const waiting = async (query: string): Promise<boolean> =>
      (
        await app.pool.query(
          `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`,
          [query],
        )
      ).rowCount === 1;
    const sent = transfer(alice, bob).then((made) => order.push(made.status));
    await eventually(() => waiting('%payment_begin%'));
    const frozen = sluice('freeze', '--because', 'a test').then(() => order.push('frozen'));
    await eventually(() => waiting('%payment_freeze_set%'));
    await locker.query('COMMIT');
    locker.release();
    await Promise.all([sent, frozen]);
    expect(order).toContain('SUCCESS');
    expect(await transfer(alice, bob)).toMatchObject(STOPPED);
    const { rows } = await app.pool.query(
      `SELECT p.finished_at < f.since AS before FROM payment p, payment_freeze f ORDER BY p.finished_at DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ before: true }]);
  });

  it('are refused for the reason that would refuse them anyway', async () => {
    await sluice('freeze', '--because', 'a test');
    expect(await transfer(alice, alice)).toMatchObject({ errors: [{ code: 'CANT_PAY_SELF' }] });
  });

  it('are stopped by an audit that fails, until an operator allows them', async () => {
    await app.pool.query('ALTER TABLE ledger_account DISABLE TRIGGER USER');
    await app.pool.query('UPDATE ledger_account SET posted = posted + 1 WHERE id = -1');
    await app.get(LedgerAuditJob).auditNew();
    expect(await transfer(alice, bob)).toMatchObject(STOPPED);
    expect(app.logs.join('')).toContain('payment_sends_stopped');
    expect(await sluice('frozen')).toMatch(/^all accounts {2}since .* by a failed audit: currency_unbalanced: 1, posted_differs: 1$/);

    await app.pool.query('UPDATE ledger_account SET posted = posted - 1 WHERE id = -1');
    await app.pool.query('ALTER TABLE ledger_account ENABLE TRIGGER USER');
    await app.get(LedgerAuditJob).auditWhole();
    expect(await transfer(alice, bob)).toMatchObject(STOPPED);
    await sluice('thaw', '--because', 'the books are right again');
    expect(await transfer(alice, bob)).toMatchObject({ status: 'SUCCESS' });
  });

  it('are named by account, e-mail or username, listed, and logged with who and why', async () => {
    const [byEmail, byName, byId] = [await fixture.user(), await fixture.user(), await fixture.user()];
    await sluice('freeze', byEmail.email, '--because', 'by e-mail');
    await sluice('freeze', byName.username, '--because', 'by username');
    expect(await sluice('freeze', byId.accountId.toUpperCase(), '--because', 'by id', '--json')).toBe(
      JSON.stringify({ account: byId.accountId, outcome: 'frozen' }),
    );
    expect(await sluice('freeze', byId.accountId, '--because', 'again')).toContain('Stopped already');
    const listed = JSON.parse(await sluice('frozen', '--json')) as { subject: string; because: string; cause: string }[];
    expect(new Set(listed.map(({ subject }) => subject))).toEqual(new Set([byEmail, byName, byId].map(({ accountId }) => accountId)));
    await sluice('thaw', byName.username, '--because', 'by mistake');
    const { rows } = await app.pool.query('SELECT action, because, who FROM operator_action WHERE subject = $1 ORDER BY id', [
      byName.accountId,
    ]);
    expect(rows).toEqual([
      { action: 'freeze', because: 'by username', who: expect.any(String) },
      { action: 'thaw', because: 'by mistake', who: expect.any(String) },
    ]);
  });

  it('refuse an account that is not there, an empty reason, and a thaw of what is not frozen', async () => {
    await expect(sluice('freeze', UNKNOWN_ACCOUNT, '--because', 'x')).rejects.toThrow('There is no account with this id');
    await expect(sluice('freeze', 'absent@example.test', '--because', 'x')).rejects.toThrow('There is no user "absent@example.test"');
    await expect(sluice('freeze', alice.accountId, '--because', ' ')).rejects.toThrow('--because must not be empty');
    await expect(sluice('thaw', alice.accountId, '--because', 'x')).rejects.toThrow('are not stopped');
    expect(await sluice('frozen')).toBe('No sends are stopped.');
  });
});
