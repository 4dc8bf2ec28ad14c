import pg from 'pg';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { SettlementStreamService } from '../../src/money/invoice/settlement/settlement-stream.service.js';
import { Metrics } from '../../src/platform/metrics/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }`;
const LOCKS: readonly (readonly [string, string, (locked: Locked) => string])[] = [
  [
    'the account of the payer',
    'SELECT 1 FROM ledger_account a JOIN wallet w ON w.ledger_account_id = a.id WHERE w.id = $1 FOR UPDATE OF a',
    ({ payer }) => payer.wallets.BTC,
  ],
  [
    'the account of the recipient',
    'SELECT 1 FROM ledger_account a JOIN wallet w ON w.ledger_account_id = a.id WHERE w.id = $1 FOR UPDATE OF a',
    ({ recipient }) => recipient.wallets.BTC,
  ],
  ['the limits of the payer', 'SELECT 1 FROM account WHERE id = $1 FOR UPDATE', ({ payer }) => payer.accountId],
  ['the invoice', 'SELECT 1 FROM invoice WHERE payment_hash = $1 FOR UPDATE', ({ paymentHash }) => paymentHash],
  ['the payment hash', 'SELECT pg_advisory_xact_lock(payment_lock_key($1))', ({ paymentHash }) => paymentHash],
];

interface Locked {
  readonly payer: Person;
  readonly recipient: Person;
  readonly paymentHash: string;
}

let app: TestApp;
let fixture: Fixture;
let direct: pg.Pool;
let payer: Person;
let recipient: Person;
let carol: Person;
let dave: Person;

beforeAll(async () => {
  app = await createTestApp();
  direct = new pg.Pool({ ...app.database.connection, max: 2 });
  fixture = new Fixture(app);
  [payer, recipient, carol, dave] = [
    await fixture.user({ sats: 10_000 }),
    await fixture.user(),
    await fixture.user({ sats: 10_000 }),
    await fixture.user(),
  ];
  const keys = app.get(ApiKeyService);
  for (const { id } of await keys.list(payer.userId)) await keys.changeLimits(payer.userId, id, { annual: 1_000_000 });
});
afterEach(async () => {
  expect(await violationsAtRest(app.pool)).toEqual({});
  await fixture.expectBalanced();
});
afterAll(async () => {
  await direct?.end();
  await app?.close();
});

interface Sent {
  readonly status: string;
  readonly errors: readonly { readonly code: string }[];
}
const pay = async (from: Person, paymentRequest: string): Promise<Sent | undefined> => {
  const { data } = await graphql(app.url, PAY, { input: { walletId: from.wallets.BTC, paymentRequest } }, from.as('write'));
  return data?.lnInvoicePaymentSend as Sent | undefined;
};

describe('a row that another transaction locks', () => {
  it.each(LOCKS)('delays its own payments only: %s', async (_what, sql, keyOf) => {
    const { paymentRequest, paymentHash } = await recipient.invoice(10);
    const others = await Promise.all(Array.from({ length: 8 }, () => dave.invoice(5)));
    const [before, received] = [await payer.sats(), await dave.sats()];
    const client = await direct.connect();
    try {
      await client.query('BEGIN');
      await client.query(sql, [keyOf({ payer, recipient, paymentHash })]);
      // The payments share a batch, or queue behind each other: none may wait for the end of the lock, which does not come while this runs.
      const [locked, ...free] = await Promise.all([
        pay(payer, paymentRequest),
        ...others.slice(0, 4).map((invoice) => pay(carol, invoice.paymentRequest)),
      ]);
      expect(locked).toEqual({ status: 'FAILURE', errors: [{ code: 'PAYMENT_BUSY' }] });
      expect(free).toEqual(free.map(() => ({ status: 'SUCCESS', errors: [] })));
      const again = pay(payer, paymentRequest);
      for (const invoice of others.slice(4)) expect(await pay(carol, invoice.paymentRequest)).toMatchObject({ status: 'SUCCESS' });
      expect(await again).toEqual(locked);
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
    expect([await payer.sats(), await dave.sats()]).toEqual([before, received + 40]);
    expect(await pay(payer, paymentRequest)).toEqual({ status: 'SUCCESS', errors: [] });
    expect(await payer.sats()).toBe(before - 10);
  });

  const lockedFor = LOCKS.filter(([what]) => !what.includes('invoice') && !what.includes('hash'));

  it.each(lockedFor)('delays no other account, however many payments need it: %s', async (_what, sql, keyOf) => {
    const { paymentHash } = await recipient.invoice(10);
    const client = await direct.connect();
    try {
      await client.query('BEGIN');
      await client.query(sql, [keyOf({ payer, recipient, paymentHash })]);
      // It is unknown at first that the row is locked: the first batch finds out by its time-out.
      const locked = [pay(payer, (await recipient.invoice(1)).paymentRequest)];
      await locked[0];
      const free: (Sent | undefined)[] = [];
      // Where the machine has the time for it: once in many attempts.
      await eventually(async () => {
        const toRecipient = await Promise.all(Array.from({ length: 60 }, () => recipient.invoice(1)));
        locked.push(...toRecipient.map((invoice) => pay(payer, invoice.paymentRequest)));
        const waited: number[] = [];
        for (let n = 0; n < 8; n++) {
          const { paymentRequest } = await dave.invoice(1);
          const since = performance.now();
          free.push(await pay(carol, paymentRequest));
          waited.push(performance.now() - since);
        }
        return Math.max(...waited) < 1_000;
      });
      expect(new Set(free.map((sent) => sent?.status))).toEqual(new Set(['SUCCESS']));
      expect(new Set((await Promise.all(locked)).map((sent) => sent?.status))).toEqual(new Set(['FAILURE']));
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  it.each(LOCKS.filter(([what]) => what.endsWith('recipient') || what.endsWith('invoice')))(
    'delays its own settlements only: %s',
    async (_what, sql, keyOf) => {
      const { paymentRequest, paymentHash } = await recipient.invoice(10);
      const [before, received] = [await recipient.sats(), await dave.sats()];
      const client = await direct.connect();
      const warned = (): number => app.logs.filter((line) => /locked by another session/.test(line)).length;
      const warnings = warned();
      try {
        await client.query('BEGIN');
        await client.query(sql, [keyOf({ payer, recipient, paymentHash })]);
        expect(await fixture.simulator.payOutside(paymentRequest)).toMatchObject({ status: 'paid' });
        for (const sats of [3, 4]) {
          const other = await dave.invoice(sats);
          expect(await fixture.simulator.payOutside(other.paymentRequest)).toMatchObject({ status: 'paid' });
        }
        await eventually(async () => (await dave.sats()) === received + 7);
        // The stream continues: only what is locked waits, and later money arrives meanwhile.
        const begun = app.get(SettlementStreamService).gaps;
        for (const sats of [5, 6]) {
          await fixture.fund(dave, sats);
          await fixture.fund(carol, sats);
        }
        expect(app.get(SettlementStreamService).gaps).toBe(begun);
        expect(await recipient.sats()).toBe(before);
        // Of the first at once, and of the others together ten seconds later.
        expect(warned() - warnings).toBeLessThanOrEqual(2);
      } finally {
        await client.query('ROLLBACK');
        client.release();
      }
      await eventually(async () => (await recipient.sats()) === before + 10);
      expect(await dave.sats()).toBe(received + 18);
      await fixture.fund(dave, 1);
      const { rows } = await direct.query(
        "SELECT 1 FROM settlement_cursor WHERE settle_index = (SELECT max(final_index) FROM simulator.payment WHERE payer = 'outside')",
      );
      expect(rows).toHaveLength(1);
    },
  );

  it('does not make a settlement look locked whose hash belongs to no invoice', async () => {
    const { paymentHash } = await recipient.invoice(10);
    const [holder, settling] = [await direct.connect(), await direct.connect()];
    const asked = 'SELECT invoice_settle_locked(ARRAY[$1, $2]) AS locked';
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM invoice WHERE payment_hash = $1 FOR UPDATE', [paymentHash]);
      await settling.query('BEGIN');
      expect((await settling.query(asked, ['ab'.repeat(32), paymentHash])).rows).toEqual([{ locked: [false, true] }]);
    } finally {
      for (const client of [settling, holder]) {
        await client.query('ROLLBACK');
        client.release();
      }
    }
  });

  it('shows in the metrics', async () => {
    const text = await app.get(Metrics).text();
    expect(text).toMatch(/sluice_payments_not_begun_total\{reason="locked"\} [1-9]/);
    expect(text).toMatch(/sluice_payment_queue_length 0/);
    await eventually(async () => /sluice_payment_batch_age_seconds 0\n/.test(await app.get(Metrics).text()));
  });
});
