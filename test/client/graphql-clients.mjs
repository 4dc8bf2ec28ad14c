// Third-party GraphQL clients as released: urql sends queries by GET, graphql-request accepts two media types. Prints their results.
import { Client, fetchExchange, gql } from '@urql/core';
import { GraphQLClient } from 'graphql-request';

const [url, apiKey, walletId] = process.argv.slice(2);
const headers = { 'X-API-KEY': apiKey };
const BALANCE = gql`
  query Balance($id: WalletId!) {
    me {
      defaultAccount {
        walletById(walletId: $id) {
          balance
        }
      }
    }
  }
`;
const INVOICE = gql`
  mutation Invoice($input: LnInvoiceCreateInput!) {
    lnInvoiceCreate(input: $input) {
      errors {
        code
      }
      invoice {
        paymentRequest
      }
    }
  }
`;

const methods = [];
const watched = (address, init) => {
  methods.push(init.method);
  return fetch(address, init);
};
const urql = new Client({ url, exchanges: [fetchExchange], fetch: watched, fetchOptions: { headers } });
const request = new GraphQLClient(url, { headers });
const variables = { id: walletId };

const said = {
  urqlQuery: await urql.query(BALANCE, variables).toPromise(),
  urqlMutation: await urql.mutation(INVOICE, { input: { walletId, amount: '21' } }).toPromise(),
  urqlRefused: await urql.query('{ me { nothing } }', {}).toPromise(),
  requestQuery: await request.request(BALANCE, variables),
  requestMutation: await request.request(INVOICE, { input: { walletId, amount: 21 } }),
};
const plain = Object.entries(said).map(([name, { data, error }]) => [
  name,
  data === undefined && !error ? said[name] : { data, error: error?.message },
]);
console.log(JSON.stringify({ methods, ...Object.fromEntries(plain) }));
