import { SettlementStreamService } from '../../src/money/invoice/settlement/settlement-stream.service.js';
import { SettlementStore } from '../../src/money/invoice/settlement/settlement.store.js';
import { eventually } from '../../src/testing/eventually.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';
import { OperatorCommand } from '../support/operator-command.js';
import { Fixture, type Person } from '../support/fixture.js';

const CREATE = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { made: lnInvoiceCreateOnBehalfOfRecipient(input: $input) {
  errors { code } invoice { paymentHash paymentRequest } } }`;
const LISTS = `query ($wallet: WalletId!, $all: Boolean) { me { defaultAccount {
  invoices(includeExpiredByOthers: $all) { edges { node { paymentHash externalIdByOwner } } }
  walletById(walletId: $wallet) { invoices(includeExpiredByOthers: $all) { edges { node { paymentHash externalIdByOwner } } } } } } }`;
const DEFAULT_LISTS = LISTS.replaceAll('(includeExpiredByOthers: $all)', '').replace(', $all: Boolean', '');
const STATUS = `query ($hash: PaymentHash!, $text: LnPaymentRequest!) {
  byHash: lnInvoicePaymentStatusByHash(input: { paymentHash: $hash }) { status paymentRequest paymentPreimage }
  byText: lnInvoicePaymentStatusByPaymentRequest(input: { paymentRequest: $text }) { status } }`;
const HISTORY = `query ($wallet: WalletId!, $hash: PaymentHash!) { me { defaultAccount { walletById(walletId: $wallet) {
  transactionsByPaymentHash(paymentHash: $hash) { status settlementAmount externalId externalIdByOwner initiationVia { ... on InitiationViaLn { paymentHash paymentRequest } } } } } } }`;
const PAST_ITS_TIME = 4 * 3_600 + 360;

interface Made {
  readonly paymentHash: string;
  readonly paymentRequest: string;
}

/** Any caller may ask for any number of invoices that pay a merchant; Sluice deletes unpaid ones, and loses no payment by it. */
describe('unpaid invoices that anonymous callers created', () => {
  let app: TestApp;
  let fixture: Fixture;
  let timeTravel: TimeTravel;
  let merchant: Person;
  beforeAll(async () => {
    app = await createTestApp();
    [fixture, timeTravel] = [new Fixture(app), new TimeTravel(app)];
    // A stream counts as one that has run for a minute.
    const stream = app.get(SettlementStreamService);
    const heardMs = (): number => Number(Reflect.get(SettlementStreamService.prototype, 'heardMs', stream));
    Object.defineProperty(stream, 'heardMs', { configurable: true, get: () => heardMs() * 1_000_000 });
  });
  beforeEach(async () => {
    merchant = await fixture.user();
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  const byOther = async (): Promise<Made> =>
    (await dataOf(app.url, CREATE, { input: { recipientWalletId: merchant.wallets.BTC, amount: 50 } })).made.invoice as Made;
  const older = async (...invoices: Made[]): Promise<void> => {
    for (const { paymentHash } of invoices) await timeTravel.invoice(paymentHash, PAST_ITS_TIME);
  };
  const isStored = async ({ paymentHash }: Made): Promise<boolean> =>
    (await app.pool.query('SELECT FROM invoice WHERE payment_hash = $1', [paymentHash])).rowCount === 1;
  const isGone = (invoice: Made): Promise<boolean> =>
    eventually(async () => {
      await timeTravel.lookUpIsDue(invoice.paymentHash);
      await timeTravel.invoiceClosedLongAgo(invoice.paymentHash);
      return !(await isStored(invoice));
    });
  const isClosed = ({ paymentHash }: Made): Promise<boolean> =>
    eventually(async () => {
      await timeTravel.lookUpIsDue(paymentHash);
      const { rowCount } = await app.pool.query('SELECT FROM invoice WHERE payment_hash = $1 AND closed_at IS NOT NULL', [paymentHash]);
      return rowCount === 1;
    });
  const listed = async (all?: boolean): Promise<string[]> => {
    const { defaultAccount } = (
      await dataOf(
        app.url,
        all === undefined ? DEFAULT_LISTS : LISTS,
        { wallet: merchant.wallets.BTC, ...(all !== undefined && { all }) },
        merchant.as('read'),
      )
    ).me;
    const hashes = ({ edges }: { edges: { node: Made }[] }): string[] => edges.map(({ node }) => node.paymentHash).toSorted();
    expect(hashes(defaultAccount.walletById.invoices)).toEqual(hashes(defaultAccount.invoices));
    return hashes(defaultAccount.invoices);
  };
  const sorted = (...invoices: Made[]): string[] => invoices.map(({ paymentHash }) => paymentHash).toSorted();
  const statuses = async ({ paymentHash, paymentRequest }: Made): Promise<unknown> =>
    dataOf(app.url, STATUS, { hash: paymentHash, text: paymentRequest });

  it('are omitted from lists after their expiry, unless requested', async () => {
    const [open, expired, paid, own, ownExpired] = [
      await byOther(),
      await byOther(),
      await byOther(),
      await merchant.invoice(1),
      await merchant.invoice(2),
    ];
    await fixture.simulator.payOutside(paid.paymentRequest);
    await eventually(async () => (await merchant.sats()) === 50);
    // While the node is away, no look-up confirms that they can be deleted.
    await fixture.simulator.setAway(true);
    for (const { paymentHash } of [expired, ownExpired, paid]) await timeTravel.invoiceEndsIn(paymentHash, -1_000);
    expect(await listed()).toEqual(sorted(open, paid, own, ownExpired));
    expect(await listed(false)).toEqual(sorted(open, paid, own, ownExpired));
    expect(await listed(true)).toEqual(sorted(open, expired, paid, own, ownExpired));
    await fixture.simulator.setAway(false);
    // It would be deleted a minute later, among those that another test counts.
    await isGone(expired);
  });

  it('are deleted after their time; the owner’s own, paid ones and those with a pending payment stay', async () => {
    const [first, second, paid, coming, young] = [await byOther(), await byOther(), await byOther(), await byOther(), await byOther()];
    const own = await merchant.invoice(1);
    await fixture.simulator.payOutside(paid.paymentRequest);
    await fixture.simulator.payOutside(coming.paymentRequest, { faults: { hold: true } });
    await eventually(async () => (await merchant.sats()) === 50);
    await older(first, second, paid, coming, own);
    await Promise.all([isGone(first), isGone(second), isClosed(own)]);
    expect(await Promise.all([paid, coming, young, own].map(isStored))).toEqual([true, true, true, true]);
    expect(await listed(true)).toEqual(sorted(paid, coming, young, own));
    // The payment in flight arrives.
    expect(await fixture.simulator.release(coming.paymentHash)).toBe(true);
    await eventually(async () => (await merchant.sats()) === 100);
  });

  it('are EXPIRED to status queries, and a settlement that is reported later is credited', async () => {
    const late = await byOther();
    await older(late);
    await isGone(late);
    const expired = { byHash: { status: 'EXPIRED', paymentRequest: null, paymentPreimage: null }, byText: { status: 'EXPIRED' } };
    expect(await statuses(late)).toEqual(expired);
    // As when the node had closed it by mistake, or another node was asked: the money has arrived.
    await timeTravel.invoice(late.paymentHash, -2 * PAST_ITS_TIME);
    expect(await fixture.simulator.payOutside(late.paymentRequest)).toMatchObject({ status: 'paid' });
    await eventually(async () => (await merchant.sats()) === 50);
    expect(await statuses(late)).toMatchObject({ byHash: { status: 'PAID' }, byText: { status: 'PAID' } });
    const { me } = await dataOf(app.url, HISTORY, { wallet: merchant.wallets.BTC, hash: late.paymentHash }, merchant.as('read'));
    expect(me.defaultAccount.walletById.transactionsByPaymentHash).toEqual([
      {
        status: 'SUCCESS',
        settlementAmount: 50,
        externalId: null,
        externalIdByOwner: false,
        initiationVia: { paymentHash: late.paymentHash, paymentRequest: '' },
      },
    ]);
    const { rows } = await app.pool.query('SELECT wallet_id, amount, external_id FROM transaction WHERE payment_hash = $1', [
      late.paymentHash,
    ]);
    expect(rows).toEqual([{ wallet_id: merchant.wallets.BTC, amount: 50_000n, external_id: null }]);
  });

  it('are kept while the settlement stream has been silent for too long', async () => {
    const heard = jest.spyOn(app.get(SettlementStreamService), 'heardMs', 'get').mockReturnValue(1);
    const invoice = await byOther();
    try {
      await older(invoice);
      await isClosed(invoice);
      await app.pool.query(`UPDATE invoice SET closed_at = closed_at - interval '1 day' WHERE payment_hash = $1`, [invoice.paymentHash]);
      const rounds = jest.spyOn(app.get(SettlementStore), 'claimDue');
      await eventually(() => rounds.mock.calls.length === 3);
      rounds.mockRestore();
      expect(await isStored(invoice)).toBe(true);
    } finally {
      heard.mockRestore();
    }
    await isGone(invoice);
  });

  it('are kept while the node is unavailable', async () => {
    const [invoice, own] = [await byOther(), await merchant.invoice(1)];
    await fixture.simulator.setAway(true);
    await older(invoice, own);
    expect(await isStored(invoice)).toBe(true);
    await fixture.simulator.setAway(false);
    await Promise.all([isGone(invoice), isClosed(own)]);
  });

  describe('and the owner’s own', () => {
    const CREATE_OWN = `mutation ($input: LnInvoiceCreateInput!) { made: lnInvoiceCreate(input: $input) {
      errors { message } invoice { paymentHash paymentRequest } } }`;
    const CREATE_CENTS = `mutation ($input: LnUsdInvoiceCreateInput!) { made: lnUsdInvoiceCreate(input: $input) {
      errors { message } invoice { paymentHash paymentRequest } } }`;
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
    const named = async (externalId: string, more = {}): Promise<any> => {
      const input = { walletId: merchant.wallets.BTC, amount: 70, externalId, ...more };
      return (await dataOf(app.url, CREATE_OWN, { input }, merchant.as('receive'))).made;
    };
    const closedDaysAgo = async (days: number, ...invoices: Made[]): Promise<void> => {
      await Promise.all(invoices.map(isClosed));
      const hashes = invoices.map(({ paymentHash }) => paymentHash);
      await app.pool.query(`UPDATE invoice SET closed_at = now() - make_interval(days => $2) WHERE payment_hash = ANY ($1)`, [
        hashes,
        days,
      ]);
    };
    const areGone = (...invoices: Made[]): Promise<boolean> =>
      eventually(async () => !(await Promise.all(invoices.map(isStored))).includes(true));

    it('are deleted thirty days after the node closed them; paid, pending and unconfirmed ones stay', async () => {
      const { invoice: usd } = (
        await dataOf(app.url, CREATE_CENTS, { input: { walletId: merchant.wallets.USD, amount: 5 } }, merchant.as('receive'))
      ).made as { invoice: Made };
      const [expired, cancelled, young, paid, coming, open] = [
        await merchant.invoice(1),
        await merchant.invoice(2),
        await merchant.invoice(3),
        await merchant.invoice(50),
        await merchant.invoice(60),
        await merchant.invoice(4),
      ];
      await fixture.simulator.payOutside(paid.paymentRequest);
      await fixture.simulator.payOutside(coming.paymentRequest, { faults: { hold: true } });
      await eventually(async () => (await merchant.sats()) === 50);
      const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { success } }`;
      await dataOf(
        app.url,
        CANCEL,
        { input: { walletId: merchant.wallets.BTC, paymentHash: cancelled.paymentHash } },
        merchant.as('receive'),
      );
      await older(expired, cancelled, young, paid, coming, usd);
      await closedDaysAgo(29, young);
      await closedDaysAgo(31, expired, cancelled, usd);
      for (const { paymentHash } of [paid, coming]) await timeTravel.invoice(paymentHash, 40 * 86_400);
      await areGone(expired, cancelled, usd);
      expect(await Promise.all([young, paid, coming, open].map(isStored))).toEqual([true, true, true, true]);
      expect(await listed(true)).toEqual(sorted(young, paid, coming, open));
      const { rows } = await app.pool.query(`SELECT FROM invoice_forgotten WHERE wallet_id = ANY ($1)`, [Object.values(merchant.wallets)]);
      expect(rows).toEqual([]);
      expect(await fixture.simulator.release(coming.paymentHash)).toBe(true);
      await eventually(async () => (await merchant.sats()) === 110);
    });

    it('are unknown then, free their external id, and what is paid late waits for an operator, who books it once', async () => {
      const { invoice: late } = await named('order-1');
      expect((await named('order-1')).errors).toEqual([{ message: 'An invoice with this externalId already exists' }]);
      await older(late);
      await closedDaysAgo(31, late);
      await areGone(late);
      const heard = async (input: Partial<Made>): Promise<unknown> => {
        const field = input.paymentHash === undefined ? 'ByPaymentRequest(input: $text)' : 'ByHash(input: $hash)';
        const variable =
          input.paymentHash === undefined
            ? '$text: LnInvoicePaymentStatusByPaymentRequestInput!'
            : '$hash: LnInvoicePaymentStatusByHashInput!';
        const asked = `query (${variable}) { status: lnInvoicePaymentStatus${field} { status } }`;
        const { errors = [] } = await graphql(app.url, asked, input.paymentHash === undefined ? { text: input } : { hash: input });
        return errors.map(({ message, extensions }) => [message, extensions?.['code']]);
      };
      const unknown = await heard({ paymentHash: 'ab'.repeat(32) });
      expect(unknown).toEqual([['Invoice not found', 'NOT_FOUND']]);
      expect(await heard({ paymentHash: late.paymentHash })).toEqual(unknown);
      expect(await heard({ paymentRequest: late.paymentRequest })).toEqual(unknown);
      expect(await listed(true)).toEqual([]);
      const again = await named('order-1');
      expect([again.errors, again.invoice.paymentHash === late.paymentHash]).toEqual([[], false]);

      // As when the node had closed it by mistake.
      await timeTravel.invoice(late.paymentHash, -2 * PAST_ITS_TIME);
      expect(await fixture.simulator.payOutside(late.paymentRequest)).toMatchObject({ status: 'paid' });
      const command = new OperatorCommand(app);
      const waiting = async (): Promise<{ paymentHash: string }[]> =>
        (await command.json<{ paymentHash: string }[]>('settlement', 'list')).filter((row) => row.paymentHash === late.paymentHash);
      await eventually(async () => (await waiting()).length === 1);
      expect(await waiting()).toMatchObject([{ outcome: 'unclaimed', amountMsat: '70000' }]);
      expect(await merchant.sats()).toBe(0);
      await command.run('settlement', 'book', late.paymentHash, '--to', merchant.username, '--because', 'their order 1');
      expect([await waiting(), await merchant.sats()]).toEqual([[], 70]);
      await expect(command.run('settlement', 'book', late.paymentHash, '--to', merchant.username, '--because', 'again')).rejects.toThrow();
      expect(await merchant.sats()).toBe(70);
    });

    it('are deleted in bounded batches, which an index finds', async () => {
      const heard = jest.spyOn(app.get(SettlementStreamService), 'heardMs', 'get').mockReturnValue(1);
      try {
        const invoices = [await merchant.invoice(1), await merchant.invoice(2), await merchant.invoice(3)];
        await older(...invoices);
        await closedDaysAgo(31, ...invoices);
        const node = await app.pool.query<{ id: string }>('SELECT DISTINCT node_id AS id FROM invoice');
        const counts: number[] = [];
        for (let times = 0; times < 3; times++) {
          const { rows } = await app.pool.query<{ n: number }>('SELECT invoice_forget($1, 60, 2) AS n', [node.rows[0]?.id]);
          counts.push(rows[0]?.n ?? -1);
        }
        expect(counts).toEqual([2, 1, 0]);
        // Too few rows for the planner to prefer an index to the table.
        const [, plan] = (await app.pool.query(`SET LOCAL enable_seqscan = off;
          EXPLAIN SELECT FROM invoice WHERE node_id = 'n' AND by_owner AND state <> 'paid' AND closed_at <= now() - interval '30 days' ORDER BY closed_at LIMIT 9`)) as unknown as {
          rows: object[];
        }[];
        expect(JSON.stringify(plan?.rows)).toContain('invoice_by_owner_to_forget');
      } finally {
        heard.mockRestore();
      }
    });
  });
});
