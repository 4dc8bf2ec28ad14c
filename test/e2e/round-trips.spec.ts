import { Database, type Statement } from '../../src/database/index.js';
import { PaymentService } from '../../src/payment/index.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Statements of background work, independent of any caller; the node's stream reports an outcome by its hash. */
const BACKGROUND =
  /simulator\.|job_(claim|end)\(|UPDATE job |INTO job |price_record\(|(payment_due|settlement_restart|invoice_(due|looked_up|forget))\(|FROM payment WHERE|payment_node|UPDATE api_key |ledger_audit|FOR KEY SHARE|FROM oauth_grant |settlement_(cursor|review)|FROM invoice WHERE node_id|signing_key|webhook_finish\(|UPDATE webhook_endpoint |LIMIT 500 FOR UPDATE SKIP LOCKED/;
/** Statements of callers, by what is in their text. */
const NAMES: Readonly<Record<string, RegExp>> = {
  'people by id': /FROM app_user u WHERE u\.id = ANY/,
  'accounts with wallets': /FROM account a JOIN wallet w .* WHERE a\.user_id = ANY/,
  'page of history': /FROM transaction t WHERE wallet_id = .* ORDER BY created_at (DESC|ASC)/,
  'page of invoices': /FROM invoice WHERE wallet_id = .* ORDER BY created_at DESC/,
  'insert of invoices': /^INSERT INTO invoice /,
  'invoice by hash': /FROM invoice WHERE payment_hash = \$1/,
};

/** The SQL function that a statement calls, or its name above; else its text. */
function nameOf(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  const known = Object.entries(NAMES).find(([, pattern]) => pattern.test(line))?.[0];
  return known ?? /(payment_(?:begin_v2|dispatch|finish))\(/.exec(line)?.[1] ?? line;
}

const ME = '{ me { id username defaultAccount { id wallets { id balance } } } }';
const CREATE = 'mutation ($i: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $i) { errors { code } invoice { paymentRequest } } }';
const PAY = 'mutation ($i: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $i) { status errors { code } } }';
const PROBE = 'mutation ($i: LnInvoiceFeeProbeInput!) { lnInvoiceFeeProbe(input: $i) { amount errors { code } } }';
const SEND = 'mutation ($i: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $i) { status errors { code } } }';
const HISTORY =
  '{ me { defaultAccount { transactions(first: 10) { edges { node { id settlementAmount memo initiationVia { __typename } } } } } } }';

/** A step of a plan, as `EXPLAIN` reports it. */
interface Step {
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Step[];
}

/** Every field of a transaction and of an invoice. */
const EVERY_FIELD = `id direction status memo externalId createdAt settlementAmount settlementFee settlementCurrency settlementDisplayAmount
  settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset currencyUnit formattedAmount }
  initiationVia { __typename ... on InitiationViaLn { paymentHash paymentRequest } ... on InitiationViaIntraLedger { counterPartyWalletId counterPartyUsername } }
  settlementVia { __typename ... on SettlementViaLn { preImage paymentSecret } ... on SettlementViaIntraLedger { counterPartyWalletId counterPartyUsername preImage } }`;
const EVERY_INVOICE_FIELD = 'createdAt paymentHash paymentRequest paymentSecret paymentStatus externalId satoshis';

describe('SQL round trips', () => {
  let app: TestApp;
  let fixture: Fixture;
  let alice: Person;
  let bob: Person;
  let statements: string[];
  /** The last statement that read a page of the history, with its values. */
  let lastPage: readonly [text: string, values: readonly unknown[]];

  /** The statements of one operation, without those of the simulated node. */
  const counted = async (operation: () => Promise<unknown>): Promise<string[]> => {
    statements = [];
    await operation();
    return statements.filter((text) => !BACKGROUND.test(text.replace(/\s+/g, ' '))).map(nameOf);
  };

  beforeAll(async () => {
    app = await createTestApp();
    const database = app.get(Database);
    const query = database.query.bind(database);
    statements = [];
    database.query = (statement: Statement, values?: readonly unknown[]) => {
      statements.push(statement.text);
      if (nameOf(statement.text) === 'page of history') lastPage = [statement.text, values ?? []];
      return query(statement, values);
    };
    fixture = new Fixture(app);
    alice = await fixture.user({ sats: 10_000 });
    bob = await fixture.user({ sats: 10_000 });
    for (const person of [alice, bob])
      for (const key of ['read', 'receive', 'write', 'all'] as const)
        await dataOf(app.url, '{ authorization { scopes } }', {}, person.as(key));
    await alice.invoice(1);
    await bob.invoice(1);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  it('a cached key costs none', async () => {
    expect(await counted(() => dataOf(app.url, '{ authorization { scopes } globals { network } }', {}, alice.as('read')))).toEqual([]);
  });

  it('me with both wallets costs two: the person, and the account with its wallets', async () => {
    expect(await counted(() => dataOf(app.url, ME, {}, alice.as('read')))).toEqual(['people by id', 'accounts with wallets']);
  });

  it('a page of the history costs one more', async () => {
    expect(await counted(() => dataOf(app.url, HISTORY, {}, alice.as('read')))).toEqual([
      'people by id',
      'accounts with wallets',
      'page of history',
    ]);
  });

  describe('a page of 100 costs the same, whatever it selects and however long the history is', () => {
    const ROWS = 20_000;
    let carol: Person;
    const pageOf = (selection: string): string =>
      `query ($after: String, $walletIds: [WalletId]) { me { defaultAccount { id ${selection} } } }`.replace(
        '($after: String, $walletIds: [WalletId])',
        selection.includes('$after') ? '($after: String, $walletIds: [WalletId])' : '',
      );

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

    it.each([
      [
        'of the account',
        (fields: string) =>
          `transactions(first: 100, after: $after, walletIds: $walletIds) { edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor } }`,
      ],
      [
        'of a wallet',
        (fields: string) =>
          `walletById(walletId: "WALLET") { transactions(first: 100) { edges { cursor node { ${fields} } } pageInfo { hasNextPage endCursor } } }`,
      ],
      [
        'from the oldest',
        (fields: string) => `transactions(last: 100) { edges { cursor node { ${fields} } } pageInfo { hasPreviousPage startCursor } }`,
      ],
    ])('transactions %s', async (_where, selection) => {
      const taken: string[][] = [];
      for (const fields of ['id', EVERY_FIELD]) {
        const query = pageOf(selection(fields).replace('WALLET', carol.wallets.BTC));
        taken.push(
          await counted(async () => {
            const { me } = await dataOf(
              app.url,
              query,
              query.includes('$after') ? { walletIds: [carol.wallets.BTC, null] } : {},
              carol.as('read'),
            );
            const { transactions } = me.defaultAccount.walletById ?? me.defaultAccount;
            expect(transactions.edges).toHaveLength(100);
          }),
        );
      }
      expect(taken).toEqual(Array.from({ length: 2 }, () => ['people by id', 'accounts with wallets', 'page of history']));
    });

    /** The most rows that any step of the plan of the last page has read, with those that a filter removed. */
    const rowsRead = async (): Promise<number> => {
      const [text, values] = lastPage;
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
      const query = pageOf('transactions(first: 100, after: $after, walletIds: $walletIds) { edges { node { id } } }');
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

    it('invoices of the account', async () => {
      for (let n = 0; n < 3; n++) await carol.invoice(1);
      const taken: string[][] = [];
      for (const fields of ['paymentHash', EVERY_INVOICE_FIELD]) {
        const query = pageOf(`invoices(first: 100) { edges { cursor node { ... on LnInvoice { ${fields} } } } pageInfo { endCursor } }`);
        taken.push(
          await counted(async () => {
            const { me } = await dataOf(app.url, query, {}, carol.as('read'));
            expect(me.defaultAccount.invoices.edges).toHaveLength(3);
          }),
        );
      }
      expect(taken).toEqual(Array.from({ length: 2 }, () => ['people by id', 'accounts with wallets', 'page of invoices']));
    });
  });

  it('an invoice costs one, besides the call to the node', async () => {
    expect(await counted(() => dataOf(app.url, CREATE, { i: { walletId: alice.wallets.BTC, amount: 5 } }, alice.as('receive')))).toEqual([
      'insert of invoices',
    ]);
  });

  it('an internal payment costs one, by invoice or by wallet', async () => {
    const { paymentRequest } = await alice.invoice(7);
    expect(await counted(() => dataOf(app.url, PAY, { i: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('write')))).toEqual([
      'payment_begin_v2',
    ]);
    const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 7 };
    expect(await counted(() => dataOf(app.url, SEND, { i: input }, bob.as('write')))).toEqual(['payment_begin_v2']);
  });

  it('many simultaneous attempts without sufficient funds are refused in batches', async () => {
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal };
    for (const { paymentRequest } of [await fixture.outside(1_000_000), await bob.invoice(1_000_000)]) {
      const begun = await counted(async () => {
        const crowd = Array.from({ length: 400 }, () => app.get(PaymentService).payInvoice(payer, paymentRequest));
        for (const outcome of await Promise.all(crowd)) expect(outcome).toMatchObject({ kind: 'refused', reason: 'insufficient' });
      });
      expect(begun.length).toBeLessThan(10);
    }
  });

  it('many simultaneous attempts with different amounts for one invoice are refused in batches, too', async () => {
    const principal = { kind: 'api-key' as const, id: 'a key', userId: alice.userId, scopes: new Set<string>() };
    const payer = { userId: alice.userId, walletId: alice.wallets.BTC, principal };
    const { paymentRequest } = await fixture.simulator.createOutsideInvoice({ amountMsat: null });
    const begun = await counted(async () => {
      const crowd = Array.from({ length: 400 }, (_, i) => app.get(PaymentService).payInvoice(payer, paymentRequest, 1_000_000 + i));
      for (const outcome of await Promise.all(crowd)) expect(outcome).toMatchObject({ kind: 'refused', reason: 'insufficient' });
    });
    expect(begun.length).toBeLessThan(10);
  });

  it('a fee probe costs one: whether the invoice is ours', async () => {
    for (const { paymentRequest } of [await fixture.outside(9), await alice.invoice(7)])
      expect(await counted(() => dataOf(app.url, PROBE, { i: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('read')))).toEqual([
        'invoice by hash',
      ]);
  });

  it('a Lightning payment costs three: hold, the batched dispatch, and capture or void', async () => {
    const { paymentRequest } = await fixture.outside(9);
    expect(await counted(() => dataOf(app.url, PAY, { i: { walletId: bob.wallets.BTC, paymentRequest } }, bob.as('write')))).toEqual([
      'payment_begin_v2',
      'payment_dispatch',
      'payment_finish',
    ]);
  });
});
