import { randomUUID } from 'node:crypto';
import { graphqlHead, openCallers } from '../harness/graphql.js';
import { headOf } from '../harness/http-caller.js';
import { runLoad } from '../harness/load.js';
import { fund } from '../harness/fixture.js';
import { startReference } from '../harness/child.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 32;
const TRANSACTIONS = 20;
const WALLETS = 'id wallets { id walletCurrency balance }';
const HISTORY = `transactions(first: ${TRANSACTIONS}) { pageInfo { hasNextPage endCursor }
  edges { cursor node { id direction status memo createdAt settlementAmount settlementFee settlementCurrency } } }`;
const bodyOf = (account) => JSON.stringify({ query: `{ me { id username defaultAccount { ${account} } } }` });

const common = { reference: 'mercurius with jit, the same SQL', unit: 'requests/s' };

export const me = {
  ...common,
  name: 'me',
  title: '`me` with both wallets, by API key',
  target: { atLeast: 0.5 },
  cost: { node: 1.4 },
  run: (stage) => compareBoth(stage, { body: bodyOf(WALLETS), expected: '"walletCurrency":"USD"' }),
};

export const meWithHistory = {
  ...common,
  name: 'me-history',
  title: `\`me\` with both wallets and ${TRANSACTIONS} transactions, by API key`,
  target: { atLeast: 0.7 },
  async run(stage) {
    const people = stage.fixture.people.slice(0, CALLERS);
    for (let n = 0; n < TRANSACTIONS; n++)
      await fund(
        stage.client,
        people.map((person) => ({ ...person, transactionId: randomUUID() })),
      );
    return compareBoth(stage, { body: bodyOf(`${WALLETS} ${HISTORY}`), expected: '"hasNextPage":true' });
  },
};

async function compareBoth({ fixture, server, connection, plan }, { body, expected }) {
  const mercurius = await startReference('mercurius', { connection });
  const [ours, theirs] = await Promise.all([server.port, mercurius.ready.port].map((port) => openCallers(port, CALLERS)));
  const people = fixture.people.slice(0, CALLERS);
  const keyed = people.map(({ key }) => graphqlHead(key));
  const named = people.map(({ userId }) => headOf('/graphql', { 'x-user': userId }));
  const { databasePid } = server;
  const load = (callers, heads, pid) => (ms) =>
    runLoad({ callers: CALLERS, ms, pid, databasePid, work: (caller) => callers.ask(caller, heads[caller], body, expected) });
  try {
    return await compare(plan, { ours: load(ours, keyed, server.pid), reference: load(theirs, named, mercurius.pid) });
  } finally {
    ours.close();
    theirs.close();
    await mercurius.stop();
  }
}
