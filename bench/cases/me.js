import { graphqlHead, openCallers } from '../harness/graphql.js';
import { headOf } from '../harness/http-caller.js';
import { runLoad } from '../harness/load.js';
import { startReference } from '../harness/child.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 32;
const BODY = JSON.stringify({ query: '{ me { id username defaultAccount { id wallets { id walletCurrency balance } } } }' });
const EXPECTED = '"walletCurrency":"USD"';

export default {
  name: 'me',
  title: '`me` with both wallets, by API key',
  reference: 'mercurius with jit, the same SQL',
  unit: 'requests/s',
  target: { atLeast: 0.5 },
  cost: { node: 1.4 },
  async run({ fixture, server, connection, plan }) {
    const mercurius = await startReference('mercurius', { connection });
    const [ours, theirs] = await Promise.all([server.port, mercurius.ready.port].map((port) => openCallers(port, CALLERS)));
    const people = fixture.people.slice(0, CALLERS);
    const keyed = people.map(({ key }) => graphqlHead(key));
    const named = people.map(({ userId }) => headOf('/graphql', { 'x-user': userId }));
    const { databasePid } = server;
    const load = (callers, heads, pid) => (ms) =>
      runLoad({ callers: CALLERS, ms, pid, databasePid, work: (caller) => callers.ask(caller, heads[caller], BODY, EXPECTED) });
    try {
      return await compare(plan, { ours: load(ours, keyed, server.pid), reference: load(theirs, named, mercurius.pid) });
    } finally {
      ours.close();
      theirs.close();
      await mercurius.stop();
    }
  },
};
