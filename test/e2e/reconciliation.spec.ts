import { reconcileCommands } from '../../src/operator/act/reconcile.command.js';
import { freezeCommands } from '../../src/operator/act/freeze.command.js';
import type { Arguments } from '../../src/operator/command/index.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { dataOf, eventually, TestUser } from '../../src/testing/index.js';
import { CERTIFICATE, LndDouble, MACAROON } from '../lightning/lnd/lnd-double.js';
import { lndEnvironment } from '../lightning/lnd/lnd-environment.js';
import { LightningNode } from '../../src/money/lightning/index.js';
import { PaymentIndexService } from '../../src/money/payment/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture } from '../support/fixture.js';

const SATS = 1_000n;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }`;

interface Report {
  readonly comparison: string;
  readonly database: string;
  readonly findings: string | null;
  readonly unexplained: readonly { readonly paymentHash: string; readonly amountMsat: string }[];
  readonly unknownToLedger: { readonly payments: number; readonly msat: string };
  readonly unknownToNode: readonly string[];
  readonly differenceMsat: string;
}

describe('the comparison of the node with the ledger', () => {
  let node: LndDouble;
  let app: TestApp;
  let alice: TestUser;
  beforeAll(async () => {
    node = new LndDouble();
    await node.start();
    const env = await lndEnvironment({ address: node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const quick = { PAYMENT_WAIT_SECONDS: '5', RECONCILE_AFTER_SECONDS: '0', LIGHTNING_CALL_SECONDS: '2' };
    app = await createTestApp({ env: { ...env, ...quick }, payFromOutside: async (_app, request) => node.payFromOutside(request) });
    // Rounds in the background, which have a signal, would take what a test has prepared for its own comparison.
    const reconciliation = app.get(ReconciliationService);
    const comparing = reconciliation.compare.bind(reconciliation);
    reconciliation.compare = (signal) => (signal ? Promise.resolve('unknown') : comparing());
    alice = await TestUser.create(app, { sats: 10_000 });
    // A restore takes away what came after the dump: a key, too.
    await alice.key('write');
    await alice.key('read');
    await compare();
  });
  /** The operator accepts what a test has left, and the next one finds a sound database. */
  afterEach(async () => {
    await app.pool.query('DROP SCHEMA IF EXISTS dumped CASCADE');
    const { findings } = (await run({})).report;
    if (findings !== null) await run({ accept: findings, because: 'the test is over' });
    expect(await send()).toEqual(SENT);
    await compare();
    expect(await app.audit()).toEqual([]);
  });
  afterAll(async () => {
    await app.close();
    node.stop();
  });

  const compare = (): Promise<string> => app.get(ReconciliationService).compare();
  const send = async (sats = 10n, paymentRequest = node.invoiceOfOther(sats * SATS)): Promise<unknown> => {
    const input = { walletId: alice.wallets.BTC, paymentRequest };
    const { lnInvoicePaymentSend } = await dataOf<{ lnInvoicePaymentSend: unknown }>(app.url, PAY, { input }, await alice.key('write'));
    return lnInvoicePaymentSend;
  };
  const SENT = { status: 'SUCCESS', errors: [] };
  const STOPPED = { status: 'FAILURE', errors: [{ code: 'SENDS_STOPPED' }] };

  const run = async (args: Arguments['options']): Promise<{ report: Report; error: string | undefined }> => {
    const lines: string[] = [];
    const error = await reconcileCommands[0]
      ?.run(app.sluice.app, { positionals: [], options: { json: true, ...args } }, (line) => void lines.push(line), 'sluice')
      .then(
        () => undefined,
        (thrown: Error) => thrown.message,
      );
    return { report: JSON.parse(lines[0] ?? '{}') as Report, error };
  };

  /** A dump, restored into the same database: every row is as it was then, and written by another transaction. */
  const dump = async (): Promise<() => Promise<void>> => {
    const { rows } = await app.pool.query<{ name: string }>(
      `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1`,
    );
    await app.pool.query(`CREATE SCHEMA dumped; ${rows.map(({ name }) => `CREATE TABLE dumped.${name} AS TABLE ${name}`).join(';')}`);
    return async () => {
      const client = await app.pool.connect();
      const triggers = (verb: string): string => rows.map(({ name }) => `ALTER TABLE ${name} ${verb} TRIGGER ALL`).join(';');
      // The statements of the server that runs beside it may make a deadlock.
      const empty = `BEGIN; ${triggers('DISABLE')}; TRUNCATE ${rows.map(({ name }) => name).join(', ')}`;
      await eventually(() =>
        client.query(empty).then(
          () => true,
          () => client.query('ROLLBACK').then(() => false),
        ),
      );
      for (const { name } of rows) {
        const columns = await client.query<{ list: string }>(
          `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS list FROM pg_attribute
            WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
          [name],
        );
        const list = columns.rows[0]?.list ?? '';
        await client.query(`INSERT INTO ${name} (${list}) OVERRIDING SYSTEM VALUE SELECT ${list} FROM dumped.${name}`);
      }
      await client.query(`${triggers('ENABLE')}; COMMIT`);
      client.release();
    };
  };

  it('finds nothing where the ledger knows every payment, and says what the node has beyond it', async () => {
    expect(await send()).toEqual(SENT);
    const { report, error } = await run({});
    expect(error).toBeUndefined();
    expect(report).toMatchObject({ comparison: 'compared', database: 'sound', findings: null, unexplained: [], unknownToNode: [] });
    expect(report.unknownToLedger).toEqual({ payments: 0, msat: '0' });
  });

  it('records payments by hand as the operator’s own, follows them to their end, and stops nothing', async () => {
    const held = node.payByHand(70n * SATS, false);
    node.payByHand(50n * SATS);
    // The first of this node.
    expect((await run({})).report.unknownToLedger).toEqual({ payments: 1, msat: '50001' });
    node.release(held);
    const { report, error } = await run({});
    expect([error, report.findings, report.unknownToLedger.payments]).toEqual([undefined, null, 2]);
    expect(await send()).toEqual(SENT);
  });

  it('stops the sends of a restored database that lacks payments, until an operator has accepted them', async () => {
    const restore = await dump();
    expect(await send(20n)).toEqual(SENT);
    const lost = [...node.hashes()].at(-1) ?? '';
    await restore();
    expect(await compare()).toBe('compared');
    expect(await send()).toEqual(STOPPED);
    const { report, error } = await run({});
    expect(report.unexplained).toEqual([expect.objectContaining({ paymentHash: lost, amountMsat: '20000' })]);
    expect(error).toContain(`sluice reconcile --accept ${report.findings}`);
    expect((await run({ accept: 'f'.repeat(16), because: 'a guess' })).error).toContain('Nothing that waits');
    expect(await thaw()).toContain('still stopped');
    expect(await send()).toEqual(STOPPED);
    expect((await run({ accept: report.findings ?? '', because: 'debited by hand' })).error).toBeUndefined();
    expect(await send()).toEqual(SENT);
    const { rows } = await app.pool.query(`SELECT because FROM operator_action WHERE action = 'reconcile accept'`);
    expect(rows).toContainEqual({ because: 'debited by hand' });
    expect((await run({})).report).toMatchObject({ database: 'sound', findings: null });
  });

  it('charges no customer for a payment that an operator has accepted', async () => {
    const PAID = { status: 'FAILURE', errors: [{ code: 'LIGHTNING_PAYMENT_ERROR' }] };
    const balance = async (): Promise<unknown> =>
      dataOf(app.url, '{ me { defaultAccount { wallets { balance } } } }', {}, await alice.key('read'));
    const known = (await run({})).report.unknownToLedger.payments;
    const restore = await dump();
    const lost = node.invoiceOfOther(20n * SATS);
    expect(await send(20n, lost)).toEqual(SENT);
    await restore();
    await compare();
    const before = await balance();
    expect((await run({ accept: (await run({})).report.findings ?? '', because: 'debited by hand' })).error).toBeUndefined();
    // The operator has corrected the balance; the client that got no answer before the restore repeats its call.
    expect(await send(20n, lost)).toEqual(PAID);
    expect(await balance()).toEqual(before);
    expect((await run({})).report.unknownToLedger.payments).toBe(known + 1);
  });

  const thaw = async (): Promise<string | undefined> =>
    freezeCommands
      .find(({ name }) => name === 'thaw')
      ?.run(app.sluice.app, { positionals: [], options: { because: 'hurry' } }, () => undefined)
      .then(
        () => undefined,
        (thrown: Error) => thrown.message,
      );

  it('lists a payment that the restored database knows only as failed, because its later attempt is lost', async () => {
    const request = node.invoiceOfOther(20n * SATS, 'no_route');
    expect(await send(20n, request)).toMatchObject({ status: 'FAILURE' });
    await compare();
    const restore = await dump();
    node.setFate(request, 'settle');
    expect(await send(20n, request)).toEqual(SENT);
    await restore();
    await compare();
    expect((await run({})).report.unexplained).toEqual([expect.objectContaining({ paymentHash: LndDouble.hashOf(request) })]);
    expect(await send()).toEqual(STOPPED);
  });

  it('allows the sends of a restored database again that lacks nothing, also after payments by hand in its time', async () => {
    node.payByHand(50n * SATS);
    await compare();
    const restore = await dump();
    await restore();
    await app.get(ReconciliationService).guard();
    expect(await send()).toEqual(STOPPED);
    expect(await compare()).toBe('compared');
    expect(await send()).toEqual(SENT);
  });

  it('stops a restored database while the node is away', async () => {
    const restore = await dump();
    await restore();
    node.stop();
    expect(await compare()).toBe('unknown');
    const { error } = await run({});
    expect(error).toContain('could not be compared');
    await node.start();
    await eventually(async () => (await compare()) === 'compared');
    await eventually(async () => JSON.stringify(await send()) === JSON.stringify(SENT));
  });

  it('accepts one payment by its hash, and allows sends when the last one is accepted', async () => {
    const restore = await dump();
    await send(20n);
    await send(30n);
    await restore();
    await compare();
    const [first, second] = (await run({})).report.unexplained.map(({ paymentHash }) => paymentHash);
    expect((await run({ accept: first ?? '', because: 'booked' })).error).toBeUndefined();
    expect(await send()).toEqual(STOPPED);
    expect((await run({ accept: second ?? '', because: 'booked' })).error).toBeUndefined();
    expect(await send()).toEqual(SENT);
  });

  it('stops sends when the payment index of the node goes back', async () => {
    const index = node.paymentIndex;
    for (let n = 0; n < 3; n++) expect(await send()).toEqual(SENT);
    await compare();
    node.restore(index + 1);
    expect(await compare()).toBe('went_back');
    expect(await send()).toEqual(STOPPED);
    const { report, error } = await run({});
    expect(error).toContain('--accept');
    expect(report.unknownToNode).toHaveLength(2);
    await run({ accept: report.findings ?? '', because: 'restored from a backup' });
    expect(await compare()).toBe('compared');
    expect(await send()).toEqual(SENT);
  });

  it('stops sends when a payment in flight shows that the index went back to that of the last comparison', async () => {
    expect(await send()).toEqual(SENT);
    await compare();
    const index = node.paymentIndex;
    for (let n = 0; n < 2; n++) expect(await send()).toEqual(SENT);
    const indexes = app.get(PaymentIndexService);
    expect(await indexes.refresh()).toBe('steady');
    node.restore(index);
    // This comparison sees no smaller index, unless a round of the process has read it before.
    await compare();
    await indexes.refresh();
    expect(await send()).toEqual(STOPPED);
    expect(await compare()).toBe('went_back');
    const { report } = await run({});
    await run({ accept: report.findings ?? '', because: 'restored from a backup' });
    expect(await compare()).toBe('compared');
    expect(await indexes.refresh()).toBe('steady');
    expect(await send()).toEqual(SENT);
  });

  it('counts a server that was promoted as sound when nothing is missing, and as suspect when something is', async () => {
    const promote = (): Promise<unknown> =>
      app.pool.query(`UPDATE database_mark SET xid = pg_current_xact_id()::text::bigint, timeline = timeline - 1`);
    await promote();
    await app.get(ReconciliationService).guard();
    expect(await send()).toEqual(SENT);
    await compare();
    expect(await send()).toEqual(SENT);
    await promote();
    node.payByHand(40n * SATS);
    await compare();
    expect(await send()).toEqual(STOPPED);
  });

  /** Does this at the next call of that method. */
  const at = (method: 'latestPaymentIndex' | 'listPayments', work: () => Promise<unknown>): void => {
    const lightning = app.get(LightningNode);
    const asked = lightning[method] as (...args: unknown[]) => Promise<never>;
    const asking = async (...args: unknown[]): Promise<never> => {
      Object.assign(lightning, { [method]: asked });
      const answer = await asked(...args);
      await work();
      return answer;
    };
    Object.assign(lightning, { [method]: asking });
  };

  it.each(['latestPaymentIndex', 'listPayments'] as const)(
    'compares again with a server that was promoted during a comparison, at %s',
    async (method) => {
      const stored = async (): Promise<unknown[]> =>
        (await app.pool.query('SELECT payment_index AS index, database_state() AS state FROM reconciliation')).rows;
      const [before] = (await stored()) as { state: string }[];
      at(method, async () => {
        node.payByHand(41n * SATS);
        await app.pool.query(`UPDATE database_mark SET xid = pg_current_xact_id()::text::bigint, timeline = timeline - 1`);
      });
      expect(await compare()).toBe('unknown');
      expect(await stored()).toEqual([{ ...before, state: 'promoted' }]);
      await compare();
      expect(await send()).toEqual(STOPPED);
    },
  );

  it('compares again with a server that was promoted again during the comparison', async () => {
    const fail = (timeline: number): Promise<unknown> =>
      app.pool.query(`CREATE OR REPLACE FUNCTION database_timeline() RETURNS integer LANGUAGE sql STABLE AS 'SELECT ${timeline}'`);
    const state = async (): Promise<unknown> => (await app.pool.query('SELECT database_state() AS state')).rows[0];
    await fail(7);
    at('latestPaymentIndex', () => fail(8));
    expect(await compare()).toBe('unknown');
    expect(await state()).toEqual({ state: 'promoted' });
    expect(await compare()).toBe('compared');
    expect(await state()).toEqual({ state: 'sound' });
  });
});

describe('a back end that lists no payments', () => {
  it('needs an operator after a restore, and nothing before it', async () => {
    const app = await createTestApp();
    const fixture = new Fixture(app);
    await fixture.simulator.setPaymentIndex('unsupported');
    const reconciliation = app.get(ReconciliationService);
    expect(await reconciliation.compare()).toBe('unsupported');
    expect((await reconciliation.report(1)).findings).toBeNull();
    await app.pool.query(`UPDATE database_mark SET xid = xid - 1`);
    expect(await reconciliation.compare()).toBe('unsupported');
    const { findings, database } = await reconciliation.report(1);
    expect([database, typeof findings]).toEqual(['restored', 'string']);
    const alice = await fixture.user({ sats: 100 });
    const bob = await fixture.user();
    const invoice = await bob.invoice(10);
    expect(await alice.pay(invoice.paymentRequest)).toMatchObject({ status: 'FAILURE', errors: [{ code: 'SENDS_STOPPED' }] });
    expect(await reconciliation.accept(findings ?? '', 'ann', 'compared by hand')).toBe(true);
    expect(await alice.pay(invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
    expect((await reconciliation.report(1)).database).toBe('sound');
    expect(await app.audit()).toEqual([]);
    await app.close();
  });
});
