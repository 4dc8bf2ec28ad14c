import { createHash } from 'node:crypto';
import { createTestApp, type TestApp } from '../support/app.js';
import { dataOf, graphql } from '../support/graphql.js';
import { Fixture, type Person } from '../support/fixture.js';

const FIELDS = `id direction status memo externalId createdAt settlementAmount settlementFee settlementCurrency settlementDisplayAmount
  settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset currencyUnit formattedAmount }
  initiationVia { __typename ... on InitiationViaLn { paymentHash paymentRequest } ... on InitiationViaIntraLedger { counterPartyWalletId counterPartyUsername } }
  settlementVia { __typename ... on SettlementViaLn { preImage paymentSecret } ... on SettlementViaIntraLedger { counterPartyWalletId counterPartyUsername preImage } }`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { message } transaction { id } } }`;
const ON_BEHALF = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { lnInvoiceCreateOnBehalfOfRecipient(input: $input) { errors { message } invoice { paymentRequest paymentHash } } }`;
const UUID = /^[0-9a-f-]{36}$/;

interface Row {
  readonly id: string;
  readonly direction: string;
  readonly memo: string | null;
  readonly [field: string]: unknown;
}

describe('the history of a wallet', () => {
  let app: TestApp;
  let fixture: Fixture;

  beforeAll(async () => {
    app = await createTestApp({ env: { FIXED_PRICE_CENTS_PER_BTC: '6125000' } });
    fixture = new Fixture(app);
  });
  afterEach(() => fixture.expectBalanced());
  afterAll(() => app.close());

  /** The newest transactions of a person's bitcoin wallet. */
  const historyOf = async (person: Person, fields = FIELDS): Promise<Row[]> => {
    const { me } = await dataOf(
      app.url,
      `{ me { defaultAccount { wallets { transactions { edges { node { ${fields} } } } } } } }`,
      {},
      person.as('read'),
    );
    return me.defaultAccount.wallets[0].transactions.edges.map(({ node }: { node: Row }) => node);
  };
  const send = async (from: Person, to: Person, amount: number, memo?: string): Promise<string> => {
    const input = { walletId: from.wallets.BTC, recipientWalletId: to.wallets.BTC, amount, memo };
    const { intraLedgerPaymentSend: payload } = await dataOf(app.url, SEND, { input }, from.as('write'));
    expect(payload).toMatchObject({ status: 'SUCCESS', errors: [] });
    return payload.transaction.id as string;
  };

  describe('every field', () => {
    const PRICE = { base: 61_250_000_000, offset: 12, currencyUnit: 'MINOR', formattedAmount: '0.06125' };
    const COMMON = {
      status: 'SUCCESS',
      createdAt: expect.any(Number),
      settlementCurrency: 'BTC',
      settlementDisplayCurrency: 'USD',
      settlementPrice: PRICE,
      id: expect.stringMatching(UUID),
    } as const;

    it('of an outside payment received', async () => {
      const alice = await fixture.user({ sats: 10_000 });
      const [row] = await historyOf(alice);
      const { paymentHash, paymentRequest } = row?.['initiationVia'] as { paymentHash: string; paymentRequest: string };
      const { preImage } = row?.['settlementVia'] as { preImage: string };
      expect(row).toEqual({
        ...COMMON,
        direction: 'RECEIVE',
        memo: null,
        externalId: paymentHash,
        settlementAmount: 10_000,
        settlementFee: 0,
        settlementDisplayAmount: '6.13',
        settlementDisplayFee: '0.00',
        initiationVia: { __typename: 'InitiationViaLn', paymentHash, paymentRequest },
        settlementVia: { __typename: 'SettlementViaLn', preImage, paymentSecret: preImage },
      });
      expect(createHash('sha256').update(preImage, 'hex').digest('hex')).toBe(paymentHash);
      expect(paymentRequest).toMatch(/^lnbcrt/);
    });

    it('of a Lightning payment sent: the amount includes the fee', async () => {
      const alice = await fixture.user({ sats: 100_000 });
      const outside = await fixture.outside(10_000, { routeFeeMsat: 20_500n });
      await alice.pay(outside.paymentRequest);
      const [row] = await historyOf(alice);
      expect(row).toEqual({
        ...COMMON,
        direction: 'SEND',
        memo: 'from outside',
        externalId: null,
        settlementAmount: -10_021,
        settlementFee: 21,
        settlementDisplayAmount: '-6.14',
        settlementDisplayFee: '0.01',
        initiationVia: { __typename: 'InitiationViaLn', paymentHash: outside.paymentHash, paymentRequest: outside.paymentRequest },
        settlementVia: { __typename: 'SettlementViaLn', preImage: outside.preimage, paymentSecret: outside.preimage },
      });
      expect(await alice.sats()).toBe(100_000 - 10_021);
    });

    it('of an internal payment: SettlementViaIntraLedger with the real preimage on both sides', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
      const invoice = await alice.invoice(1_000, 'coffee', { externalId: 'order-1' });
      await bob.pay(invoice.paymentRequest);
      const [[received], [sent]] = [await historyOf(alice), await historyOf(bob)];
      const { preImage } = received?.['settlementVia'] as { preImage: string };
      expect(createHash('sha256').update(preImage, 'hex').digest('hex')).toBe(invoice.paymentHash);
      const shared = {
        ...COMMON,
        memo: 'coffee',
        externalId: 'order-1',
        settlementFee: 0,
        settlementDisplayFee: '0.00',
        initiationVia: { __typename: 'InitiationViaLn', ...invoice },
      };
      expect(received).toEqual({
        ...shared,
        direction: 'RECEIVE',
        settlementAmount: 1_000,
        settlementDisplayAmount: '0.61',
        settlementVia: {
          __typename: 'SettlementViaIntraLedger',
          counterPartyWalletId: bob.wallets.BTC,
          counterPartyUsername: bob.username,
          preImage,
        },
      });
      expect(sent).toEqual({
        ...shared,
        direction: 'SEND',
        settlementAmount: -1_000,
        settlementDisplayAmount: '-0.61',
        settlementVia: {
          __typename: 'SettlementViaIntraLedger',
          counterPartyWalletId: alice.wallets.BTC,
          counterPartyUsername: alice.username,
          preImage,
        },
      });
      expect(received?.id).not.toBe(sent?.id);
    });

    it('of an intraledger payment', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
      await send(bob, alice, 250, 'lunch');
      const shared = { ...COMMON, memo: 'lunch', externalId: null, settlementFee: 0, settlementDisplayFee: '0.00' };
      const via = (person: Person): object => ({ counterPartyWalletId: person.wallets.BTC, counterPartyUsername: person.username });
      expect((await historyOf(alice))[0]).toEqual({
        ...shared,
        direction: 'RECEIVE',
        settlementAmount: 250,
        settlementDisplayAmount: '0.15',
        initiationVia: { __typename: 'InitiationViaIntraLedger', ...via(bob) },
        settlementVia: { __typename: 'SettlementViaIntraLedger', ...via(bob), preImage: null },
      });
      expect((await historyOf(bob))[0]).toEqual({
        ...shared,
        direction: 'SEND',
        settlementAmount: -250,
        settlementDisplayAmount: '-0.15',
        initiationVia: { __typename: 'InitiationViaIntraLedger', ...via(alice) },
        settlementVia: { __typename: 'SettlementViaIntraLedger', ...via(alice), preImage: null },
      });
    });
  });

  describe('memos', () => {
    it('of a payer stay with the payer; the recipient sees the invoice’s own', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
      const invoice = await alice.invoice(1_000, 'table 4');
      await bob.pay(invoice.paymentRequest, 'dinner with Carol');
      expect((await historyOf(alice))[0]?.memo).toBe('table 4');
      expect((await historyOf(bob))[0]?.memo).toBe('dinner with Carol');
    });

    it('of an invoice with a description hash are shown to the recipient only', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
      const input = { recipientWalletId: alice.wallets.BTC, amount: 500, memo: 'thank you for the song', descriptionHash: 'ab'.repeat(32) };
      const { lnInvoiceCreateOnBehalfOfRecipient: made } = await dataOf(app.url, ON_BEHALF, { input });
      await bob.pay(made.invoice.paymentRequest);
      expect((await historyOf(alice))[0]?.memo).toBe('thank you for the song');
      expect((await historyOf(bob))[0]?.memo).toBeNull();
    });

    it('are null when empty', async () => {
      const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 5_000 })];
      const invoice = await alice.invoice(1_000, '');
      await bob.pay(invoice.paymentRequest, '');
      await send(bob, alice, 100, '');
      for (const person of [alice, bob]) expect((await historyOf(person)).slice(0, 2).map(({ memo }) => memo)).toEqual([null, null]);
    });
  });

  describe('pages', () => {
    let alice: Person;
    let bob: Person;
    /** All of Alice's transactions, newest first. */
    let all: string[];

    beforeAll(async () => {
      [alice, bob] = [await fixture.user({ sats: 10_000 }), await fixture.user()];
      for (let i = 1; i <= 11; i++) await send(alice, bob, i);
      // Some have the same millisecond: the id decides.
      await app.pool.query(`UPDATE transaction SET created_at = date_trunc('second', created_at) WHERE account_id = $1`, [alice.accountId]);
      const { rows } = await app.pool.query<{ id: string }>(
        'SELECT id FROM transaction WHERE account_id = $1 ORDER BY created_at DESC, id DESC',
        [alice.accountId],
      );
      all = rows.map(({ id }) => id);
      expect(all).toHaveLength(12);
    });

    type Whose = 'account' | 'wallet';
    const TYPES: Readonly<Record<string, string>> = {
      first: 'Int',
      last: 'Int',
      after: 'String',
      before: 'String',
      walletIds: '[WalletId]',
    };
    /** A page of the transactions of the account or of the bitcoin wallet, or the errors in its place. */
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as asked
    const page = async (args: string, whose: Whose = 'wallet', variables: Record<string, unknown> = {}): Promise<any> => {
      const declared = Object.keys(TYPES).flatMap((name) => (args.includes(`$${name}`) ? [`$${name}: ${TYPES[name]}`] : []));
      const field = `found: transactions${args && `(${args})`} { pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { id } } }`;
      const placed = whose === 'wallet' ? `walletById(walletId: "${alice.wallets.BTC}") { ${field} }` : field;
      const operation = declared.length > 0 ? `query (${declared.join(', ')})` : 'query';
      const { data, errors } = await graphql(app.url, `${operation} { me { defaultAccount { ${placed} } } }`, variables, alice.as('read'));
      if (errors) return { errors };
      return (whose === 'wallet' ? data.me.defaultAccount.walletById : data.me.defaultAccount).found;
    };
    // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
    const idsOf = ({ edges }: any): string[] => edges.map(({ node }: { node: { id: string } }) => node.id);

    it.each(['account', 'wallet'] as const)('of the %s without arguments contain everything, also with null', async (whose) => {
      for (const [args, variables] of [
        ['', {}],
        ['first: $first, last: $last, after: $after, before: $before', { first: null, last: null, after: null, before: null }],
        ['first: $first, after: $after', {}],
        ['first: 100', {}],
      ] as const) {
        const found = await page(args, whose, variables);
        expect(idsOf(found)).toEqual(all);
        expect(found.pageInfo).toEqual({
          hasNextPage: false,
          hasPreviousPage: false,
          startCursor: found.edges[0].cursor,
          endCursor: found.edges.at(-1).cursor,
        });
      }
    });

    it.each(['account', 'wallet'] as const)('of the %s forwards contain each row once, in order, to the end', async (whose) => {
      const seen: string[] = [];
      const cursors = new Set<string>();
      let after: string | null = null;
      for (;;) {
        const found = await page('first: 5, after: $after', whose, { after });
        expect(found.pageInfo.hasPreviousPage).toBe(false);
        expect(found.pageInfo.endCursor).toBe(found.edges.at(-1).cursor);
        seen.push(...idsOf(found));
        after = found.pageInfo.endCursor;
        expect(cursors.has(after as string)).toBe(false);
        cursors.add(after as string);
        if (!found.pageInfo.hasNextPage) break;
      }
      expect(seen).toEqual(all);
      expect(cursors.size).toBe(3);
      const beyond = await page('first: 5, after: $after', whose, { after });
      expect(beyond).toEqual({ pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }, edges: [] });
    });

    it('go backwards from the oldest', async () => {
      const last = await page('last: 5');
      expect(idsOf(last)).toEqual(all.slice(-5));
      expect(last.pageInfo).toMatchObject({
        hasNextPage: false,
        hasPreviousPage: true,
        startCursor: last.edges[0].cursor,
        endCursor: last.edges[4].cursor,
      });
      const before = await page('last: 5, before: $before', 'wallet', { before: last.pageInfo.startCursor });
      expect(idsOf(before)).toEqual(all.slice(-10, -5));
      const rest = await page('last: 5, before: $before', 'wallet', { before: before.pageInfo.startCursor });
      expect(idsOf(rest)).toEqual(all.slice(0, 2));
      expect(rest.pageInfo.hasPreviousPage).toBe(false);
    });

    it('go between two cursors', async () => {
      const { edges } = await page('');
      const found = await page('first: 100, after: $after, before: $before', 'wallet', { after: edges[2].cursor, before: edges[6].cursor });
      expect(idsOf(found)).toEqual(all.slice(3, 6));
    });

    it('that are exactly full have the right hasNextPage', async () => {
      expect((await page('first: 12')).pageInfo.hasNextPage).toBe(false);
      expect((await page('first: 11')).pageInfo.hasNextPage).toBe(true);
      expect((await page('first: 1')).edges).toHaveLength(1);
    });

    it('continue from a cursor while new transactions arrive', async () => {
      const { pageInfo } = await page('first: 5');
      const next = await page('first: 5, after: $after', 'wallet', { after: pageInfo.endCursor });
      await send(alice, bob, 12);
      expect(await page('first: 5, after: $after', 'wallet', { after: pageInfo.endCursor })).toEqual(next);
      const { rows } = await app.pool.query<{ id: string }>(
        'SELECT id FROM transaction WHERE account_id = $1 ORDER BY created_at DESC, id DESC',
        [alice.accountId],
      );
      all = rows.map(({ id }) => id);
    });

    const cursor = (text: string): string => Buffer.from(text).toString('base64url');
    it.each([
      ['first: 0', {}],
      ['first: 101', {}],
      ['last: 0', {}],
      ['first: 1, last: 1', {}],
      ['after: $after', { after: 'no cursor' }],
      ['before: $before', { before: 'AAAA' }],
      ['after: $after', { after: '6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f' }],
      ['after: $after', { after: cursor(`1700000000000.${'ab'.repeat(32)}`) }],
      ['after: $after', { after: cursor(`-1.6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f`) }],
      ['before: $before', { before: `\0${'x'.repeat(10_000)}` }],
    ])('refuse %s with %j, by name', async (args, variables) => {
      for (const whose of ['account', 'wallet'] as const) {
        const { errors } = await page(args, whose, variables);
        expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
        expect(errors[0].message).toMatch(/first|last|after|before/);
      }
    });

    it('refuse the cursor of an invoice', async () => {
      await alice.invoice(5);
      const { me } = await dataOf(
        app.url,
        '{ me { defaultAccount { invoices(first: 1) { pageInfo { endCursor } } } } }',
        {},
        alice.as('read'),
      );
      const { errors } = await page('after: $after', 'wallet', { after: me.defaultAccount.invoices.pageInfo.endCursor });
      expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
      const { pageInfo } = await page('first: 1');
      const { data } = await graphql(
        app.url,
        'query ($after: String) { me { defaultAccount { invoices(after: $after) { edges { cursor } } } } }',
        { after: pageInfo.endCursor },
        alice.as('read'),
      );
      expect(data).toEqual({ me: { defaultAccount: { invoices: null } } });
    });

    it('can be limited to wallets: null and absence mean all, wallets of other accounts are refused', async () => {
      for (const walletIds of [
        null,
        [],
        [null],
        [alice.wallets.BTC],
        [alice.wallets.BTC.toUpperCase(), alice.wallets.USD],
        [null, alice.wallets.BTC],
      ]) {
        expect(idsOf(await page('walletIds: $walletIds', 'account', { walletIds }))).toEqual(all);
      }
      expect((await page('walletIds: $walletIds', 'account', { walletIds: [alice.wallets.USD] })).edges).toEqual([]);
      for (const walletIds of [
        [bob.wallets.BTC],
        [alice.wallets.BTC, bob.wallets.BTC],
        ['6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f'],
        ['nonsense'],
      ]) {
        const { errors } = await page('walletIds: $walletIds', 'account', { walletIds });
        expect(errors).toMatchObject([{ extensions: { code: 'INVALID_INPUT' } }]);
      }
    });
  });

  describe('one payment', () => {
    const find = async (person: Person, field: string, wallet = person.wallets.BTC): Promise<{ found?: unknown; code?: unknown }> => {
      const { data, errors } = await graphql(
        app.url,
        `{ me { defaultAccount { walletById(walletId: "${wallet}") { found: ${field} } } } }`,
        {},
        person.as('read'),
      );
      return errors ? { code: errors[0]?.extensions?.['code'] } : { found: data.me.defaultAccount.walletById.found };
    };

    it('is found by its hash, its invoice and its id, in the wallets that took part', async () => {
      const [alice, bob, carol] = [await fixture.user(), await fixture.user({ sats: 5_000 }), await fixture.user()];
      const { paymentHash, paymentRequest } = await alice.invoice(70);
      const id = (await bob.pay(paymentRequest)).transaction.id as string;
      const [{ id: receipt } = { id: '' }] = await historyOf(alice, 'id');
      for (const [person, own] of [
        [alice, receipt],
        [bob, id],
      ] as const) {
        expect(await find(person, `transactionsByPaymentHash(paymentHash: "${paymentHash}") { id }`)).toEqual({ found: [{ id: own }] });
        expect(await find(person, `transactionsByPaymentHash(paymentHash: "${paymentHash.toUpperCase()}") { id }`)).toEqual({
          found: [{ id: own }],
        });
        expect(await find(person, `transactionsByPaymentRequest(paymentRequest: "${paymentRequest}") { id }`)).toEqual({
          found: [{ id: own }],
        });
        expect(await find(person, `transactionsByPaymentRequest(paymentRequest: "${paymentRequest.toUpperCase()}") { id }`)).toEqual({
          found: [{ id: own }],
        });
        expect(await find(person, `transactionById(transactionId: "${own}") { id }`)).toEqual({ found: { id: own } });
        expect(await find(person, `transactionById(transactionId: "${own.toUpperCase()}") { id }`)).toEqual({ found: { id: own } });
      }
      for (const [person, wallet] of [
        [carol, carol.wallets.BTC],
        [carol, carol.wallets.USD],
        [alice, alice.wallets.USD],
      ] as const) {
        expect(await find(person, `transactionsByPaymentHash(paymentHash: "${paymentHash}") { id }`, wallet)).toEqual({ found: [] });
        expect(await find(person, `transactionsByPaymentRequest(paymentRequest: "${paymentRequest}") { id }`, wallet)).toEqual({
          found: [],
        });
        expect(await find(person, `transactionById(transactionId: "${receipt}") { id }`, wallet)).toEqual({ code: 'NOT_FOUND' });
      }
      expect(await find(alice, `transactionById(transactionId: "${id}") { id }`)).toEqual({ code: 'NOT_FOUND' });
    });

    it('has no address: the lists by address are empty, and refuse what is none', async () => {
      const alice = await fixture.user({ sats: 5_000 });
      const address = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
      const page = '{ edges { cursor } pageInfo { hasNextPage endCursor } }';
      const none = { found: { edges: [], pageInfo: { hasNextPage: false, endCursor: null } } };
      for (const wallet of [alice.wallets.BTC, alice.wallets.USD]) {
        expect(await find(alice, `transactionsByAddress(address: "${address}", first: 1) ${page}`, wallet)).toEqual(none);
        expect(await find(alice, `pendingIncomingTransactionsByAddress(address: "${address}") { id }`, wallet)).toEqual({ found: [] });
      }
      expect(await find(alice, `transactionsByAddress(address: "${address}", first: 0) ${page}`)).toEqual({ code: 'INVALID_INPUT' });
      for (const field of [`transactionsByAddress(address: "x") ${page}`, 'pendingIncomingTransactionsByAddress(address: "x") { id }'])
        expect((await find(alice, field)).code).toBe('INVALID_INPUT');
    });

    it('has every attempt, newest first', async () => {
      const alice = await fixture.user({ sats: 5_000 });
      const outside = await fixture.outside(100, { fail: 'no_route' });
      await alice.pay(outside.paymentRequest);
      await fixture.simulator.setFaults(outside.paymentHash, {});
      await alice.pay(outside.paymentRequest);
      expect(
        await find(
          alice,
          `transactionsByPaymentHash(paymentHash: "${outside.paymentHash}") { status settlementAmount settlementFee settlementVia { ... on SettlementViaLn { preImage } } }`,
        ),
      ).toEqual({
        found: [
          {
            status: 'SUCCESS',
            settlementAmount: expect.any(Number) as number,
            settlementFee: expect.any(Number) as number,
            settlementVia: { preImage: outside.preimage },
          },
          { status: 'FAILURE', settlementAmount: -100, settlementFee: 0, settlementVia: { preImage: null } },
        ],
      });
    });

    it.each([
      ['transactionById(transactionId: "x") { id }', 'NOT_FOUND'],
      ['transactionById(transactionId: "6f6f6f6f-6f6f-4f6f-8f6f-6f6f6f6f6f6f") { id }', 'NOT_FOUND'],
      ['transactionsByPaymentHash(paymentHash: "x") { id }', 'INVALID_INPUT'],
      ['transactionsByPaymentRequest(paymentRequest: "x") { id }', 'INVALID_INPUT'],
      ['transactionsByPaymentRequest(paymentRequest: "lnbcrt1x") { id }', 'INVOICE_DECODE_ERROR'],
    ])('%s is %s', async (field, code) => {
      expect(await find(await fixture.user(), field)).toEqual({ code });
    });
  });

  /** A failover to a machine with another time, as one sees it afterwards: rows are ahead of the clock by so much. */
  describe.each([
    ['3 seconds', 3],
    ['an hour', 3_600],
    ['a year', 31_536_000],
  ])('after the clock of the database has gone back by %s', (_, seconds) => {
    let alice: Person;
    let bob: Person;
    let cursor: string;
    const page = async (of: Person, args: string): Promise<{ cursor: string; node: Row }[]> => {
      const query = `{ me { defaultAccount { transactions(${args}) { edges { cursor node { id createdAt status } } } } } }`;
      return (await dataOf(app.url, query, {}, of.as('read'))).me.defaultAccount.transactions.edges;
    };
    const send = async (amount = 1): Promise<void> => {
      const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount };
      expect((await dataOf(app.url, SEND, { input }, bob.as('write'))).intraLedgerPaymentSend.status).toBe('SUCCESS');
    };
    const databaseNow = async (): Promise<number> =>
      Number((await app.pool.query('SELECT extract(epoch FROM clock_timestamp()) AS now')).rows[0].now);

    beforeEach(async () => {
      [alice, bob] = [await fixture.user({ sats: 5 }), await fixture.user({ sats: 1_000 })];
      await app.pool.query('UPDATE transaction SET created_at = created_at + make_interval(secs => $1) WHERE account_id = $2', [
        seconds,
        alice.accountId,
      ]);
      cursor = (await page(alice, 'first: 1'))[0]?.cursor ?? '';
    });

    it('a client that polls with `before` sees each new row once, in their order', async () => {
      const seen: string[] = [];
      for (let i = 0; i < 10; i++) {
        await send();
        if (i === 4) await Promise.all([send(), send(), fixture.fund(alice, 1)]);
        for (const edge of (await page(alice, `last: 100, before: "${cursor}"`)).reverse()) {
          seen.push(edge.node.id);
          cursor = edge.cursor;
        }
      }
      const all = (await page(alice, 'first: 100')).map(({ node }) => node.id).reverse();
      expect(seen).toEqual(all.slice(1));
      expect(seen).toHaveLength(13);
    });

    it('new rows are at least as late as the newest one, unless that is more than a minute ahead', async () => {
      await send();
      const [next, newest] = (await page(alice, 'first: 2')).map(({ node }) => Number(node['createdAt']));
      const now = await databaseNow();
      if (seconds < 60) expect(next).toBeGreaterThanOrEqual(newest ?? NaN);
      else expect(Math.abs((next ?? NaN) - now)).toBeLessThan(30);
    });

    it('limits count by the clock', async () => {
      const input = { walletId: alice.wallets.BTC, recipientWalletId: bob.wallets.BTC, amount: 3 };
      await dataOf(app.url, SEND, { input }, alice.as('write'));
      const spent = async (): Promise<unknown> =>
        (await app.pool.query(`SELECT sum(msat)::int AS msat FROM account_spent($1, now())`, [alice.accountId])).rows[0].msat;
      expect(await spent()).toBe(3_000);
      const aged = seconds < 60 ? 'created_at' : 'clock_at';
      await app.pool.query(`UPDATE transaction SET ${aged} = ${aged} - interval '25 hours' WHERE account_id = $1`, [alice.accountId]);
      expect(await spent()).toBe(0);
      await app.pool.query(`UPDATE transaction SET ${aged} = ${aged} + interval '26 hours' WHERE account_id = $1`, [alice.accountId]);
      expect(await spent()).toBe(0);
    });

    it('budgets count by the clock', async () => {
      await send(3);
      const spentAfter = async (ahead: string): Promise<unknown> => {
        await app.pool.query(`UPDATE payment SET principal_id = 'key', created_at = now() + $2::interval WHERE account_id = $1`, [
          bob.accountId,
          ahead,
        ]);
        return (await app.pool.query(`SELECT sum(msat)::int AS msat FROM budget_spent('key', now(), budget_window('daily'))`)).rows[0].msat;
      };
      expect(await spentAfter(`${seconds} seconds`)).toBe(seconds < 60 ? 3_000 : 0);
      expect(await spentAfter('-25 hours')).toBe(0);
    });

    it('no other account is ahead', async () => {
      const before = await databaseNow();
      await send();
      const [{ node } = { node: undefined }] = await page(bob, 'first: 1');
      expect(Number(node?.['createdAt'])).toBeGreaterThanOrEqual(Math.floor(before));
      expect(Number(node?.['createdAt'])).toBeLessThanOrEqual(await databaseNow());
      const { rows } = await app.pool.query('SELECT created_at - clock_timestamp() < $2 AS near FROM transaction WHERE account_id = $1', [
        bob.accountId,
        '1 second',
      ]);
      expect(rows.every(({ near }: { near: boolean }) => near)).toBe(true);
    });
  });

  it('is never a second ahead of the clock, however many rows it gets', async () => {
    const [alice, bob] = [await fixture.user(), await fixture.user({ sats: 1_000 })];
    const input = { walletId: bob.wallets.BTC, recipientWalletId: alice.wallets.BTC, amount: 1 };
    for (let i = 0; i < 10; i++) await Promise.all(Array.from({ length: 30 }, () => graphql(app.url, SEND, { input }, bob.as('write'))));
    const { rows } = await app.pool.query<{ ahead: number; times: number }>(
      `SELECT extract(epoch FROM max(created_at) - clock_timestamp())::float8 AS ahead, count(DISTINCT created_at)::int AS times
         FROM transaction WHERE account_id = $1`,
      [alice.accountId],
    );
    expect(rows[0]?.ahead).toBeLessThan(1);
    expect(await alice.sats()).toBe(300);
  });
});
