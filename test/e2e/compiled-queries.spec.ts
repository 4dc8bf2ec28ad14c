import { eventually } from '../../src/testing/eventually.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { Fixture, type Person } from '../support/fixture.js';
import { request } from '../support/http.js';

/** More often than a query runs before it is compiled. */
const OFTEN = 25;
const ROW = `id externalId externalIdByOwner direction status memo createdAt settlementAmount settlementFee settlementCurrency
  settlementDisplayAmount settlementDisplayFee settlementDisplayCurrency settlementPrice { base offset currencyUnit formattedAmount }
  initiationVia { __typename ... on InitiationViaLn { paymentHash paymentRequest } ... on InitiationViaIntraLedger { counterPartyUsername } }
  settlementVia { __typename ... on SettlementViaLn { preImage } ... on SettlementViaIntraLedger { preImage counterPartyWalletId } }`;
const BRIEF_ROW = 'id direction status memo createdAt settlementAmount settlementFee settlementCurrency';
const account = (fields: string): string => `{ me { id username defaultAccount { ${fields} } } }`;

interface Case {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly as?: 'read' | 'receive' | 'anyone';
}

const CASES: Readonly<Record<string, Case>> = {
  'wallets, which are of an interface': { query: account('id wallets { __typename id walletCurrency balance pendingIncomingBalance }') },
  'a brief history': {
    query: account(`transactions(first: 2) { pageInfo { hasNextPage endCursor } edges { cursor node { ${BRIEF_ROW} } } }`),
  },
  'a whole history': { query: account(`transactions(last: 5) { edges { node { ${ROW} } } }`) },
  'a history whose fragment needs whole rows': {
    query: `query Shop($first: Int = 3) { me { defaultAccount { wallets { ...Of } } } }
      fragment Of on Wallet { id transactions(first: $first) { edges { node { ...Row } } } } fragment Row on Transaction { id ${ROW} }`,
  },
  'aliases, and fields that two selections share': {
    query: account(`a: transactions(first: 1) { edges { node { id } } } b: transactions(first: 1) { edges { node { memo } } }
      wallets { id } ... on ConsumerAccount { wallets { balance } defaultWallet { id } }`),
  },
  'fields that variables leave out': {
    query: 'query ($no: Boolean!, $yes: Boolean!) { me { id @skip(if: $no) username @include(if: $no) language @include(if: $yes) } }',
    variables: { no: false, yes: true },
  },
  'a condition by default': {
    query: 'query ($yes: Boolean = true, $no: Boolean = true) { me { id @include(if: $yes) username @include(if: $no) } }',
    variables: { no: false },
  },
  'an argument in an input of variables': {
    query: 'query ($id: WalletId!) { me { defaultAccount { walletById(walletId: $id) { id } } } }',
    variables: { id: '%WALLET' },
  },
  'a value that a lenient scalar refuses': {
    query: 'query ($id: WalletId!) { me { defaultAccount { walletById(walletId: $id) { id } } } }',
    variables: { id: 'no wallet' },
  },
  'an error below a field that cannot be null': {
    query: account('walletById(walletId: "00000000-0000-4000-8000-000000000000") { id }'),
  },
  'two errors in one answer': {
    query:
      'query ($u: Username!) { a: usernameAvailable(username: $u) b: usernameAvailable(username: "free_name") c: usernameAvailable(username: $u) }',
    variables: { u: 'no username' },
  },
  'an error and data side by side': {
    query: '{ globals { network } accountDefaultWallet(username: "nobody_here") { id } me { username } }',
  },
  'no credential': { query: account('id'), as: 'anyone' },
  'a scope that shows no wallets': { query: account('wallets { balance }'), as: 'receive' },
  'a page that is too long': {
    query: 'query ($n: Int) { me { defaultAccount { transactions(first: $n) { edges { cursor } } } } }',
    variables: { n: 101 },
  },
  'the type of the root': { query: '{ __typename __type(name: "User") { name kind fields { name } } }', as: 'anyone' },
};

describe('a query that is compiled', () => {
  let app: TestApp;
  let alice: Person;

  beforeAll(async () => {
    app = await createTestApp();
    const fixture = new Fixture(app);
    alice = await fixture.user({ username: 'alice', sats: 5_000 });
    const bob = await fixture.user({ username: 'bob', sats: 5_000 });
    for (const memo of ['tea', 'a cake', '']) await alice.pay((await bob.invoice(21, memo)).paymentRequest);
    await bob.pay((await alice.invoice(10, 'back')).paymentRequest);
  });
  afterAll(() => app.close());

  const compiled = async (): Promise<number> =>
    Number(/^sluice_graphql_compiled_queries (\d+)$/m.exec((await request(`${app.url}/metrics`)).text)?.[1]);

  it.each(Object.entries(CASES))('answers as before: %s', async (name, { query, variables = {}, as = 'read' }) => {
    const filled = JSON.parse(JSON.stringify(variables).replace('%WALLET', alice.wallets.USD)) as object;
    // Its own document, so that no other case has run it.
    const body = JSON.stringify({ query: `# ${name}\n${query}`, variables: filled });
    const headers = { 'content-type': 'application/json', ...(as === 'anyone' ? {} : alice.as(as)) };
    const ask = async (): Promise<object> => {
      const { status, text } = await request(`${app.url}/graphql`, { method: 'POST', headers, body });
      return { status, text };
    };
    const before = await compiled();
    const first = await ask();
    for (let n = 0; n < OFTEN; n++) expect(await ask()).toEqual(first);
    await eventually(async () => {
      expect(await ask()).toEqual(first);
      return (await compiled()) === before + 1;
    });
    expect(await ask()).toEqual(first);
  });

  it.each([
    {
      what: 'a fragment that one of two selections leaves out',
      query:
        'query ($no: Boolean!) { me { ...Who @include(if: $no) ...Who } b: me { ...Who @include(if: $no) } } fragment Who on User { id username }',
      variables: { no: false },
    },
    {
      what: 'a fragment that another operation of the document leaves out',
      query: 'query A($no: Boolean!) { me { ...Who @include(if: $no) } } query B { me { ...Who } } fragment Who on User { id username }',
      variables: { no: false },
    },
    { what: 'a name of every object', query: 'query ($toString: Boolean = true) { me { id @include(if: $toString) } }', variables: {} },
    { what: 'the name of a prototype', query: '{ __proto__: __typename me { __proto__: id } }', variables: {} },
  ])('answers as before where the compiler would not: $what', async ({ what, query, variables }) => {
    const before = await compiled();
    const ask = async (operationName: string | null): Promise<string> => {
      const body = JSON.stringify({ query: `# ${what}\n${query}`, variables, operationName });
      const headers = { 'content-type': 'application/json', ...alice.as('read') };
      return (await request(`${app.url}/graphql`, { method: 'POST', headers, body })).text.replace(/"reference":"[^"]*"/, '');
    };
    for (const name of query.startsWith('query A') ? ['A', 'B'] : [null]) {
      const first = await ask(name);
      for (let n = 0; n < OFTEN; n++) expect(await ask(name)).toBe(first);
    }
    expect(await compiled()).toBe(before);
  });

  it('is no mutation, and none with a literal that its scalar refuses', async () => {
    const before = await compiled();
    for (const query of ['mutation { userLogout { success } }', '{ usernameAvailable(username: "1alice") }'])
      for (let n = 0; n < OFTEN; n++)
        await request(`${app.url}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        });
    expect(await compiled()).toBe(before);
  });
});
