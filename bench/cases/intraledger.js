import { openFloor } from '../harness/floor.js';
import { bodyFor, graphqlHead, openCallers } from '../harness/graphql.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 64;
const bodyOf = bodyFor(
  'mutation Send($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code message } } }',
);

export default {
  name: 'intraledger',
  title: `intraledger payment over GraphQL, ${CALLERS} callers`,
  reference: 'a one-transfer function, same database, 16 connections',
  unit: 'payments/s',
  target: { atLeast: 0.4 },
  cost: { postgres: 2.3, node: 2.2 },
  async run({ fixture, server, connection, plan }) {
    const processes = { pid: server.pid, databasePid: server.databasePid };
    const [callers, floor] = await Promise.all([openCallers(server.port, CALLERS), openFloor({ connection, server }, 'transfer')]);
    const { people } = fixture;
    const heads = people.map(({ key }) => graphqlHead(key));
    const pay = (caller) => {
      const recipient = (caller + 1 + Math.floor(Math.random() * (people.length - 1))) % people.length;
      const input = { walletId: people[caller].walletId, recipientWalletId: people[recipient].walletId, amount: 3, memo: 'bench' };
      return callers.ask(caller, heads[caller], bodyOf(input), '"status":"SUCCESS"');
    };
    try {
      return await compare(plan, {
        ours: (ms) => runLoad({ callers: CALLERS, ms, ...processes, work: pay }),
        reference: floor.run,
      });
    } finally {
      callers.close();
      await floor.close();
    }
  },
};
