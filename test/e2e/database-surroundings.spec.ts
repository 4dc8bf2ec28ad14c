import { ClockWatch } from '../../src/edge/health/index.js';
import { SystemClock } from '../../src/platform/kernel/clock.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { asAdministrator } from '../support/database.js';
import { post, request, type HttpAnswer } from '../support/http.js';
import { productionEnv } from '../support/production.js';
import { Fixture, type Person } from '../support/fixture.js';

const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { done: intraLedgerPaymentSend(input: $input) { status errors { code } } }';
const PAY = 'mutation ($input: LnInvoicePaymentInput!) { done: lnInvoicePaymentSend(input: $input) { status errors { code } } }';
const READ = '{ me { defaultAccount { wallets { balance } transactions(first: 1) { edges { node { status } } } } } }';
const DAY_MS = 86_400_000;

class JumpingClock extends SystemClock {
  offsetMs = 0;
  /** How far the clock of the database is wrong. */
  stepMs = 0;

  override now(): number {
    return super.now() + this.offsetMs;
  }

  override follow(databaseMs: number): void {
    super.follow(databaseMs + this.stepMs);
  }
}

describe('an application whose surroundings fail', () => {
  const clock = new JumpingClock();
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;

  beforeAll(async () => {
    app = await createTestApp({ clock, env: await productionEnv() });
    fixture = new Fixture(app);
    [alice, bob] = [await fixture.user({ sats: 1_000 }), await fixture.user({ sats: 1_000 })];
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const ask = (query: string, input: object, key: 'read' | 'write' = 'write'): Promise<HttpAnswer> =>
    post(`${app.url}/graphql`, { query, variables: { input } }, alice.as(key));
  /** The codes of every error, of the answer and of the payload. */
  const codesOf = ({ body }: HttpAnswer): unknown[] => {
    // The credential could not be looked up, because its connection has just ended.
    if (body.error) return ['SERVICE_UNAVAILABLE'];
    const errors = (body.errors ?? []) as { extensions?: { code: string } }[];
    const refused = (body.data as { done?: { errors: { code: string }[] } } | null)?.done?.errors ?? [];
    return [...errors.map(({ extensions }) => extensions?.code), ...refused.map(({ code }) => code)];
  };
  const transfer = (): Promise<HttpAnswer> => ask(SEND, { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 10 });
  const readiness = async (): Promise<unknown> => (await request(`${app.url}/health/ready`)).body.waitingFor;

  const name = (): string => String(app.database.connection.database);
  const readOnly = (change: string) => (): Promise<void> =>
    asAdministrator(async (client) => {
      await client.query(`ALTER DATABASE ${name()} ${change}`);
      // Until they have ended: a statement on one that ends a moment later would fail.
      await client.query('SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = $1', [name()]);
    });
  const sql = (text: string) => async (): Promise<void> => void (await app.pool.query(text));
  const FULL = `
    CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER disk_full BEFORE INSERT ON ledger_journal EXECUTE FUNCTION disk_full()`;

  it.each([
    [
      'read-only',
      readOnly('SET default_transaction_read_only = on'),
      readOnly('RESET default_transaction_read_only'),
      'database is read-only',
    ],
    ['full', sql(FULL), sql('DROP TRIGGER disk_full ON ledger_journal; DROP FUNCTION disk_full'), 'database is full'],
  ])(
    'a database that is %s: readiness says it, sends are refused with a code, reads continue, nothing is lost',
    async (_what, spoil, repair, words) => {
      const [before, outside] = [await alice.sats(), await fixture.outside(50)];
      await spoil();
      try {
        const refused = [await transfer(), await ask(PAY, { walletId: alice.wallets.BTC, paymentRequest: outside.paymentRequest })];
        await eventually(async () => (await transfer(), JSON.stringify(await readiness()) === JSON.stringify([words])));
        refused.push(await transfer());
        for (const answer of refused) {
          expect(codesOf(answer)).toEqual([expect.stringMatching(/^(SERVICE_UNAVAILABLE|PAYMENT_NOT_SENT)$/)]);
          expect(answer.text).not.toMatch(/SUCCESS|No space|read-only transaction/);
        }
        const read = await eventually(async () => (await ask(READ, {}, 'read')).body.data);
        expect(read).toMatchObject({ me: { defaultAccount: { wallets: [{ balance: before }, {}] } } });
        expect(app.logs.join('\n')).toContain(words);
      } finally {
        await repair();
      }
      await eventually(async () => (await readiness()) === undefined);
      expect(await alice.sats()).toBe(before);
      expect(codesOf(await transfer())).toEqual([]);
      expect(await alice.sats()).toBe(before - 10);
    },
  );

  it('a clock that is set back during an outage delays neither readiness nor the log of its end', async () => {
    await readOnly('SET default_transaction_read_only = on')();
    await eventually(async () => JSON.stringify(await readiness()) === JSON.stringify(['database is read-only']));
    clock.stepMs = -3_600_000;
    await app.get(ClockWatch).measure();
    await readOnly('RESET default_transaction_read_only')();
    await eventually(async () => (await readiness()) === undefined, 60_000);
    clock.stepMs = 0;
    await app.get(ClockWatch).measure();
  });

  it('a payment that arrives while the disk is full is credited when there is space again', async () => {
    const before = await alice.sats();
    const { paymentRequest } = await alice.invoice(30);
    await sql(FULL)();
    expect(await fixture.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'paid' });
    await eventually(() => app.logs.some((line) => line.includes('settlement_booking_unavailable')));
    expect(await alice.sats()).toBe(before);
    await sql('DROP TRIGGER disk_full ON ledger_journal; DROP FUNCTION disk_full')();
    await eventually(async () => (await alice.sats()) === before + 30);
  });

  it('a start on a read-only database ends with a sentence that says what to do', async () => {
    await readOnly('SET default_transaction_read_only = on')();
    await expect(createTestApp({ beside: app, env: await productionEnv() })).rejects.toThrow('The database is read-only: a standby, or');
    await readOnly('RESET default_transaction_read_only')();
    await eventually(async () => (await readiness()) === undefined);
  });

  it.each([
    ['forwards', DAY_MS],
    ['backwards', -DAY_MS],
  ])('a clock that jumps %s a day changes no payment, no invoice and no sign-in', async (_where, offsetMs) => {
    const [before, session] = [await alice.sats(), await fixture.session(alice)];
    const [invoice, outside, open] = [await alice.invoice(20), await fixture.outside(50, { routeFeeMsat: 0n }), await bob.invoice(5)];
    clock.offsetMs = offsetMs;
    try {
      await fixture.simulator.payOutside(invoice.paymentRequest);
      expect(await alice.pay(outside.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(await alice.pay(open.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(codesOf(await transfer())).toEqual([]);
      await eventually(async () => (await alice.sats()) === before + 20 - 50 - 5 - 10);
      expect((await post(`${app.url}/graphql`, { query: READ }, session)).body.errors).toBeUndefined();
      expect(await readiness()).toBeUndefined();
    } finally {
      clock.offsetMs = 0;
    }
  });
});
