// Invoices over GraphQL: made, and kept for those who pay them.
import { bodyFor, graphqlHead } from './graphql.js';

const bodyOf = bodyFor(
  'mutation Create($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code message } invoice { paymentRequest paymentHash } } }',
);

/** Makes one, for the person at this caller's place; its text is kept in `world.invoices`. */
export async function makeInvoice(world, callers, caller) {
  const { key, walletId } = world.people[caller];
  const answer = await callers.ask(caller, graphqlHead(key), bodyOf({ walletId, amount: 21, memo: 'bench' }), '"paymentRequest"');
  world.invoices.push(JSON.parse(answer).data.lnInvoiceCreate.invoice.paymentRequest);
}
