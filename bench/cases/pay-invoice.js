import { openFloor } from '../harness/floor.js';
import { bodyFor, graphqlHead, openCallers } from '../harness/graphql.js';
import { makeInvoice } from '../harness/invoices.js';
import { runLoad } from '../harness/load.js';
import { compare } from '../harness/rounds.js';

const CALLERS = 64;
/** More than any machine can pay. */
const INVOICES_PER_MS = 4;
const bodyOf = bodyFor(
  'mutation Pay($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message } } }',
);

/** The users at the first indexes make the invoices, those after them pay. */
async function stock(fixture, callers, wanted) {
  while (fixture.invoices.length < wanted)
    await runLoad({ callers: CALLERS, ms: 250, work: (caller) => makeInvoice(fixture, callers, caller) });
}

export default {
  name: 'pay-invoice',
  title: `pay an invoice between users, ${CALLERS} callers`,
  reference: 'the same function, same database, 16 connections',
  unit: 'payments/s',
  target: { atLeast: 0.3 },
  cost: { postgres: 4.0, node: 2.6 },
  async run({ fixture, server, connection, plan }) {
    const processes = { pid: server.pid, databasePid: server.databasePid };
    const [callers, floor] = await Promise.all([openCallers(server.port, CALLERS), openFloor({ connection, server }, 'transfer')]);
    const payers = fixture.people.slice(CALLERS, 2 * CALLERS).map(({ key, walletId }) => ({ head: graphqlHead(key), walletId }));
    const pay = async (caller) => {
      const paymentRequest = fixture.invoices.pop();
      if (paymentRequest === undefined) return false;
      const { head, walletId } = payers[caller];
      return callers.ask(caller, head, bodyOf({ walletId, paymentRequest }), '"status":"SUCCESS"');
    };
    const ours = async (ms) => {
      await stock(fixture, callers, Math.min(6_000, ms * INVOICES_PER_MS));
      return runLoad({ callers: CALLERS, ms, ...processes, work: pay });
    };
    try {
      return await compare(plan, { ours, reference: floor.run });
    } finally {
      callers.close();
      await floor.close();
    }
  },
};
