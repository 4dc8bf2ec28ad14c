import { openFloor } from '../harness/floor.js';
import { openCallers } from '../harness/graphql.js';
import { makeInvoice } from '../harness/invoices.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 64;

export default {
  name: 'invoice',
  title: `invoice creation, ${CALLERS} callers`,
  reference: `one single-row insert committed, ${CALLERS} connections`,
  unit: 'invoices/s',
  target: { atLeast: 0.4 },
  cost: { node: 3.5 },
  async run({ fixture, server, connection, plan }) {
    const processes = { pid: server.pid, databasePid: server.databasePid };
    const [callers, floor] = await Promise.all([openCallers(server.port, CALLERS), openFloor({ connection, server }, 'insert', CALLERS)]);
    try {
      return await compare(plan, {
        ours: (ms) => runLoad({ callers: CALLERS, ms, ...processes, work: (caller) => makeInvoice(fixture, callers, caller) }),
        reference: floor.run,
      });
    } finally {
      callers.close();
      await floor.close();
    }
  },
};
