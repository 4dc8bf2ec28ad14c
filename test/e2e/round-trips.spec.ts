import { PaymentService } from '../../src/money/payment/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { recordStatements, type Sent } from '../support/statements.js';

const PAGE = /FROM transaction t WHERE wallet_id = [^]* ORDER BY created_at (DESC|ASC)/;
const ME = '{ me { id username defaultAccount { id wallets { id balance } } } }';
const PAY = 'mutation ($i: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $i) { status errors { code } } }';

/** A step of a plan, as `EXPLAIN` reports it. */
interface Step {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

describe('SQL round trips', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let sent: Sent[];

  /** The statements of one operation for a person, and those of a payment, whose ids the person does not know. */
  const counted = async ({ userId, wallets }: Person, operation: () => Promise<unknown>): Promise<string[]> => {
    const from = sent.length;
    await operation();
    return sent.slice(from).flatMap(([text, values]) => {
      const [, payment] = /(payment_(?:begin_v2|dispatch|finish))\(/.exec(text) ?? [];
      const isTheirs = [userId, wallets.BTC].some((id) => JSON.stringify(values, (_, each: unknown) => String(each)).includes(id));
      return payment !== undefined || isTheirs ? [payment ?? text] : [];
    });
  };

  beforeAll(async () => {
    app = await createTestApp();
    sent = recordStatements(app);
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 10_000 });
    bob = await fixture.user({ sats: 10_000 });
    for (const person of [alice, bob])
      for (const key of ['read', 'write'] as const) await dataOf(app.url, '{ authorization { scopes } }', {}, person.as(key));
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('me with both wallets costs two: the person, and the account with its wallets', async () => {
    expect(await counted(alice, () => dataOf(app.url, ME, {}, alice.as('read')))).toHaveLength(2);
  });

  describe('a page of 100 costs the same, however long the history is', () => {
    const ROWS = 20_000;
    let carol: Person;
    beforeAll(async () => {
      carol = await fixture.user();
      const added = (columns: string, select: string): Promise<unknown> =>
        app.pool.query(`INSERT INTO ${columns} ${select}`, [carol.accountId, carol.wallets.BTC]);
      // Failed payments and cancelled invoices moved no money.
      await added(
        `transaction (id, account_id, wallet_id, currency, direction, status, amount, external_id_by_owner, initiation, settlement, created_at, settled_at)`,
        `SELECT gen_random_uuid(), $1, $2, 'BTC', 'SEND', 'FAILURE', -1, false, 'ln', 'ln', t, t
           FROM generate_series(1, ${ROWS}) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - make_interval(secs => n)) AS at(t)`,
      );
      await app.pool.query('ANALYZE transaction');
      await dataOf(app.url, ME, {}, carol.as('read'));
    });
    afterAll(() => app.pool.query('DELETE FROM transaction WHERE account_id = $1', [carol.accountId]));

    /** The most rows that any step of the plan of the last page has read, with those that a filter removed. */
    const rowsRead = async (): Promise<number> => {
      const [text, values] = sent.findLast(([text]) => PAGE.test(text)) as Sent;
      const { rows } = await app.pool.query<{ 'QUERY PLAN': [{ Plan: Step }] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, [...values]);
      const most = (step: Step): number =>
        Math.max(step['Actual Rows'] + (step['Rows Removed by Filter'] ?? 0), ...(step.Plans ?? []).map(most));
      return most((rows[0] as { 'QUERY PLAN': [{ Plan: Step }] })['QUERY PLAN'][0].Plan);
    };

    it.each([
      ['the first page', 'BTC', 0, 100],
      ['a page at the end', 'both', ROWS - 200, 100],
      ['a page of one wallet at the end', 'BTC', ROWS - 200, 100],
      ['a wallet without any, beside one with all', 'USD', 0, 0],
    ] as const)('%s reads no more rows than it shows and one', async (_which, wallet, offset, length) => {
      const { rows } = await app.pool.query<{ at: Date; id: string }>(
        'SELECT created_at AS at, id FROM transaction WHERE account_id = $1 ORDER BY created_at DESC, id DESC OFFSET $2 LIMIT 1',
        [carol.accountId, offset],
      );
      const after = Buffer.from(`${rows[0]?.at.getTime()}.${rows[0]?.id}`).toString('base64url');
      const walletIds = wallet === 'both' ? null : [carol.wallets[wallet], carol.wallets[wallet].toUpperCase()];
      const query = `query ($after: String, $walletIds: [WalletId]) { me { defaultAccount { id
        transactions(first: 100, after: $after, walletIds: $walletIds) { edges { node { id } } } } } }`;
      const { me } = await dataOf(app.url, query, { after, walletIds }, carol.as('read'));
      expect(me.defaultAccount.transactions.edges).toHaveLength(length);
      expect(await rowsRead()).toBeLessThanOrEqual(101);
    });

    it('two busy wallets are one list: each row once, in order, and no more than a page of each is read', async () => {
      const dora = await fixture.user();
      // Three rows have the same time: their ids order them, across the wallets.
      const { rows } = await app.pool.query<{ id: string }>(
        `WITH added AS (
           INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, external_id_by_owner, initiation, settlement, created_at, settled_at)
           SELECT gen_random_uuid(), $1, (ARRAY[$2, $3]::uuid[])[1 + n % 2], (ARRAY['BTC', 'USD'])[1 + n % 2], 'SEND', 'FAILURE', -1, false, 'ln', 'ln', t, t
             FROM generate_series(0, 449) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - make_interval(secs => n / 3)) AS at(t)
           RETURNING id, created_at)
         SELECT id FROM added ORDER BY created_at DESC, id DESC`,
        [dora.accountId, dora.wallets.BTC, dora.wallets.USD],
      );
      const pagesBy = async (size: string, bound: string, cursor: string): Promise<string[][]> => {
        const pages: string[][] = [];
        for (let at: string | null = null, more = true; more;) {
          const query = `query ($at: String) { me { defaultAccount { transactions(${size}: 100, ${bound}: $at) {
            edges { node { id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } } }`;
          const { me } = await dataOf(app.url, query, { at }, dora.as('read'));
          const { edges, pageInfo } = me.defaultAccount.transactions;
          pages.push(edges.map(({ node }: { node: { id: string } }) => node.id));
          expect(await rowsRead()).toBeLessThanOrEqual(202);
          at = pageInfo[cursor] as string | null;
          more = pageInfo.hasNextPage || pageInfo.hasPreviousPage;
        }
        return pages;
      };
      const all = rows.map(({ id }) => id);
      expect((await pagesBy('first', 'after', 'endCursor')).flat()).toEqual(all);
      expect((await pagesBy('last', 'before', 'startCursor')).reverse().flat()).toEqual(all);
      await app.pool.query('DELETE FROM transaction WHERE account_id = $1', [dora.accountId]);
    });
  });

  it('many simultaneous attempts without sufficient funds are refused in batches', async () => {
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal };
    for (const { paymentRequest } of [await fixture.outside(1_000_000), await bob.invoice(1_000_000)]) {
      const begun = await counted(alice, async () => {
        const crowd = Array.from({ length: 400 }, () => app.get(PaymentService).pay(payer, { paymentRequest }));
        for (const outcome of await Promise.all(crowd)) expect(outcome).toMatchObject({ kind: 'refused', reason: 'insufficient' });
      });
      expect(begun.length).toBeLessThan(10);
    }
  });

  it('many simultaneous attempts with different amounts for one invoice are refused in batches, too', async () => {
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal };
    const { paymentRequest } = await fixture.simulator.createOutsideInvoice({ amountMsat: null });
    const begun = await counted(alice, async () => {
      const crowd = Array.from({ length: 400 }, (_, i) =>
        app.get(PaymentService).pay(payer, { paymentRequest, amountSats: 1_000_000 + i }),
      );
      for (const outcome of await Promise.all(crowd)) expect(outcome).toMatchObject({ kind: 'refused', reason: 'insufficient' });
    });
    expect(begun.length).toBeLessThan(10);
  });

  it('a Lightning payment costs three: hold, the batched dispatch, and capture or void', async () => {
    const { paymentRequest } = await fixture.outside(9);
    expect(await counted(bob, () => dataOf(app.url, PAY, { i: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('write')))).toEqual([
      'payment_begin_v2',
      'payment_dispatch',
      'payment_finish',
    ]);
  });
});
