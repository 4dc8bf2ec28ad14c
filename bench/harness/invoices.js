// Creates invoices over GraphQL, and keeps them for the payers.
import { bodyFor, graphqlHead } from './graphql.js';

const bodyOf = bodyFor(
  'mutation Create($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code message } invoice { paymentRequest paymentHash } } }',
);

/** Creates an invoice for the user at this caller's index; adds its payment request to `fixture.invoices`. */
export async function makeInvoice(fixture, callers, caller) {
  const { key, walletId } = fixture.people[caller];
  const answer = await callers.ask(caller, graphqlHead(key), bodyOf({ walletId, amount: 21, memo: 'bench' }), '"paymentRequest"');
  fixture.invoices.push(JSON.parse(answer).data.lnInvoiceCreate.invoice.paymentRequest);
}
