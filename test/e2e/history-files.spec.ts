import { createTestApp, type TestApp } from '../support/app.js';
import { graphql, type CredentialHeaders, type GraphQLAnswer } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';
import { Events } from '../../src/platform/events/index.js';
import { HistoryService, type TransactionRow } from '../../src/money/transaction/index.js';

let app: TestApp;
let fixture: Fixture;
let alice: Person;
let bob: Person;
beforeAll(async () => {
  app = await createTestApp();
  fixture = new Fixture(app);
  [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user({ sats: 10_000 })];
});
afterEach(() => fixture.expectBalanced());
afterAll(() => app.close());

describe('Account.csvTransactions', () => {
  const QUERY = 'query ($walletIds: [WalletId!]!) { me { defaultAccount { csvTransactions(walletIds: $walletIds) } } }';
  const NODES = `{ me { defaultAccount { transactions { edges { node { id createdAt direction status settlementAmount settlementFee settlementCurrency
    settlementDisplayAmount settlementDisplayFee settlementDisplayCurrency memo externalId } } } } } }`;
  const SEND = 'mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status } }';
  const COLUMNS =
    'id,walletId,createdAt,direction,status,settlementAmount,settlementFee,settlementCurrency,settlementDisplayAmount,settlementDisplayFee,settlementDisplayCurrency,memo,externalId,counterPartyUsername,paymentHash,preImage,address,transactionHash';

  interface Answer {
    readonly me: { readonly defaultAccount: { readonly csvTransactions: string } };
  }

  beforeAll(async () => {
    await alice.pay((await fixture.outside(700)).paymentRequest);
    const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 7, memo: '=HYPERLINK("https://x.test")' };
    await graphql(app.url, SEND, { input }, bob.as('write'));
  });

  const ask = (walletIds: unknown, credential: CredentialHeaders = alice.as('read')): Promise<GraphQLAnswer<Answer>> =>
    graphql(app.url, QUERY, { walletIds }, credential);
  /** The lines of the file. No cell of these tests has a line break. */
  const linesOf = async (walletIds: unknown, person = alice): Promise<string[]> => {
    const { data, errors } = await ask(walletIds, person.as('read'));
    expect(errors).toBeUndefined();
    const text = Buffer.from(data?.me.defaultAccount.csvTransactions ?? '', 'base64').toString();
    expect(text.endsWith('\r\n')).toBe(true);
    return text.slice(0, -2).split('\r\n');
  };

  it('has the rows of the history, newest first, with the amounts of the API', async () => {
    const [header, ...lines] = await linesOf([]);
    expect(header).toBe(COLUMNS);
    const { data } = await graphql(app.url, NODES, {}, alice.as('read'));
    const nodes = (data.me.defaultAccount.transactions.edges as { node: Record<string, unknown> }[]).map(({ node }) => node);
    expect(nodes).toHaveLength(3);
    const names = COLUMNS.split(',');
    const read = lines.map((line) => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
    const wanted = nodes.map(({ createdAt: _, memo: _memo, ...node }) =>
      Object.fromEntries(Object.entries(node).map(([name, value]) => [name, value === null ? '' : String(value as string | number)])),
    );
    expect(read).toMatchObject(wanted);
    expect(read.map(({ createdAt = '' }) => Math.floor(Date.parse(createdAt) / 1_000))).toEqual(nodes.map(({ createdAt }) => createdAt));
    expect(read.every(({ walletId }) => walletId === alice.wallets.BTC)).toBe(true);
  });

  it('makes a memo of another person harmless to spreadsheets', async () => {
    expect((await linesOf([]))[1]).toContain(`,"'=HYPERLINK(""https://x.test"")",`);
  });

  it('is filtered by wallet', async () => {
    expect(await linesOf([alice.wallets.USD])).toEqual([COLUMNS]);
    expect(await linesOf([alice.wallets.BTC.toUpperCase(), alice.wallets.USD])).toEqual(await linesOf([]));
  });

  it('refuses a wallet of another account, and values that are no wallets', async () => {
    for (const walletIds of [[bob.wallets.BTC], [alice.wallets.BTC, bob.wallets.BTC], ['x']])
      expect((await ask(walletIds)).errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
    for (const walletIds of [null, [null]])
      expect((await ask(walletIds)).errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  });

  it('needs read', async () => {
    expect((await ask([], alice.as('write'))).errors).toMatchObject([{ extensions: { code: 'INSUFFICIENT_SCOPE', scope: 'read' } }]);
    expect((await ask([], {})).errors).toMatchObject([{ extensions: { code: 'NOT_AUTHENTICATED' } }]);
  });

  it('costs as much as the rows that it reads: a document cannot ask for many files', async () => {
    const many = ['a', 'b', 'c', 'd'].map((name) => `${name}: csvTransactions(walletIds: [])`).join(' ');
    const { errors } = await graphql(app.url, `{ me { defaultAccount { ${many} } } }`, {}, alice.as('read'));
    expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_COMPLEX' } }]);
  });

  describe('of a long history', () => {
    let carol: Person;
    /** Adds rows to the USD wallet's history, several of the same time. Failed payments moved no money. */
    const addRows = (count: number): Promise<unknown> =>
      app.pool.query(
        `INSERT INTO transaction (id, account_id, wallet_id, currency, direction, status, amount, external_id_by_owner, initiation, settlement, created_at, settled_at)
         SELECT gen_random_uuid(), $1, $2, 'USD', 'SEND', 'FAILURE', -1, false, 'ln', 'ln', t, t
           FROM generate_series(1, $3::int) AS n, LATERAL (SELECT date_trunc('milliseconds', now()) - make_interval(secs => n / 7)) AS at(t)`,
        [carol.accountId, carol.wallets.USD, count],
      );
    beforeAll(async () => {
      carol = await fixture.user();
    });

    it('has each row once, up to 5,000 rows', async () => {
      await addRows(5_000);
      const [, ...lines] = await linesOf([], carol);
      expect(lines).toHaveLength(5_000);
      expect(new Set(lines.map((line) => line.slice(0, 36))).size).toBe(5_000);
    });

    it('is refused beyond, unless the filter leaves fewer', async () => {
      await addRows(1);
      expect((await ask([], carol.as('read'))).errors).toMatchObject([
        {
          message: 'There are more than 5000 transactions. Read them by pages of "transactions".',
          extensions: { code: 'RESPONSE_TOO_LARGE' },
        },
      ]);
      expect(await linesOf([carol.wallets.BTC], carol)).toEqual([COLUMNS]);
    });
  });
});

describe('the changes of histories', () => {
  /** Every change after a cursor, in pages of this size. */
  const readAll = async (from: string | undefined, size: number): Promise<{ changes: TransactionRow[]; cursor: string }> => {
    const changes: TransactionRow[] = [];
    for (let cursor = from; ;) {
      const page = await app.get(HistoryService).since(cursor, size);
      if (!page) throw new Error('The cursor is gone');
      expect(page.events.length).toBeLessThanOrEqual(size);
      changes.push(...page.events);
      if (!page.isMore) return { changes, cursor: page.cursor };
      cursor = page.cursor;
    }
  };
  const brief = ({ status, amount, accountId }: TransactionRow): unknown => [status, Number(amount) / 1_000, accountId === alice.accountId];

  it('are read from a cursor, in the order of their commits, whatever the size of a page', async () => {
    const start = await app.get(Events).presentCursor();
    for (const sats of [1, 2, 3]) await bob.pay((await alice.invoice(sats)).paymentRequest);
    await alice.pay((await fixture.outside(50)).paymentRequest);
    const { changes, cursor } = await readAll(start, 100);
    expect(changes.map(brief)).toEqual(
      expect.arrayContaining([
        ['SUCCESS', 3, true],
        ['SUCCESS', -3, false],
        ['PENDING', -60, true],
      ]),
    );
    expect(changes).toHaveLength(8);
    expect(changes.at(-1)).toMatchObject({ status: 'SUCCESS', accountId: alice.accountId });
    for (const size of [1, 2, 3]) expect((await readAll(start, size)).changes).toEqual(changes);

    expect((await readAll(cursor, 10)).changes).toEqual([]);
    await bob.pay((await alice.invoice(4)).paymentRequest);
    expect((await readAll(cursor, 10)).changes.map(brief)).toEqual(
      expect.arrayContaining([
        ['SUCCESS', -4, false],
        ['SUCCESS', 4, true],
      ]),
    );
  });

  it('begin with the oldest that are kept', async () => {
    const { rows } = await app.pool.query("SELECT FROM event, unnest(topics) topic WHERE topic = 'transaction.changed'");
    expect((await readAll(undefined, 7)).changes).toHaveLength(rows.length);
  });

  it.each(['', 'nonsense', '1', '-1:0', '99999999999999999:0', '1:2:3', '1:9999999999'])(
    'after no cursor of this database (%j) are unknown',
    async (cursor) => {
      expect(await app.get(HistoryService).since(cursor)).toBeUndefined();
    },
  );

  it('after a cursor whose events were deleted are unknown: none is skipped in silence', async () => {
    const cursor = await app.get(Events).presentCursor();
    await bob.pay((await alice.invoice(5)).paymentRequest);
    await app.pool.query('DELETE FROM event_position WHERE position <= $1', [cursor.split(':')[0]]);
    expect(await app.get(HistoryService).since(cursor)).toBeUndefined();
  });
});
