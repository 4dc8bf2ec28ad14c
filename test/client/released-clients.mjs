// Third-party clients as released, with their default settings where they have some. Prints their results.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { ApolloClient, ApolloLink, gql as apolloGql, HttpLink, InMemoryCache } from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { Client, fetchExchange, gql } from '@urql/core';
import { GraphQLClient } from 'graphql-request';
import { createClient } from 'graphql-ws';
import backends from 'lightning-backends';
import lnurl from 'lnurl';
import { WebSocket } from 'ws';

const { url, alice, bob, unroutable, port } = JSON.parse(process.argv[2]);
const headers = { 'X-API-KEY': alice.apiKey };
const BALANCE = `
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
const INVOICE = `
  mutation Invoice($input: LnInvoiceCreateInput!) {
    lnInvoiceCreate(input: $input) {
      errors {
        code
      }
      invoice {
        paymentRequest
        paymentHash
      }
    }
  }
`;
const STATUS = `
  subscription Status($input: LnInvoicePaymentStatusByHashInput!) {
    lnInvoicePaymentStatusByHash(input: $input) {
      status
      errors {
        message
      }
    }
  }
`;
const PAY = `
  mutation Pay($input: LnInvoicePaymentInput!) {
    lnInvoicePaymentSend(input: $input) {
      status
    }
  }
`;
const LNURL = `
  mutation Lnurl($input: LnurlPaymentSendInput!) {
    lnurlPaymentSend(input: $input) {
      status
      errors {
        code
        message
      }
      transaction {
        settlementAmount
      }
    }
  }
`;
const input = { walletId: alice.walletId, amount: 21 };
const variables = { id: alice.walletId };

/** Calls of `fetch`, as clients make them. */
function watchedFetch() {
  const calls = [];
  const watched = (address, init) => {
    const hasDocument = String(init.body ?? address).includes('walletById');
    calls.push(`${init.method}${hasDocument ? '' : ' without the document'}`);
    return fetch(address, init);
  };
  return { calls, watched };
}

/** Bob pays an invoice. */
const payer = new GraphQLClient(url, { headers: { 'X-API-KEY': bob.apiKey } });
const pay = (paymentRequest) => payer.request(PAY, { input: { walletId: bob.walletId, paymentRequest } });

async function urql() {
  const methods = [];
  const watched = (address, init) => {
    methods.push(init.method);
    return fetch(address, init);
  };
  const client = new Client({ url, exchanges: [fetchExchange], fetch: watched, fetchOptions: { headers } });
  const plain = ({ data, error }) => ({ data, error: error?.message });
  return {
    query: plain(await client.query(gql(BALANCE), variables).toPromise()),
    mutation: plain(await client.mutation(gql(INVOICE), { input: { ...input, amount: '21' } }).toPromise()),
    refused: plain(await client.query('{ me { nothing } }', {}).toPromise()),
    methods,
  };
}

async function graphqlRequest() {
  const client = new GraphQLClient(url, { headers });
  return {
    query: await client.request(BALANCE, variables),
    mutation: await client.request(INVOICE, { input }),
    refused: await client.request('{ me { nothing } }').catch(({ response }) => response.errors[0].message),
  };
}

const sockets = (connectionParams) => createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, connectionParams });

/** Waits for an invoice to be paid: pays it at its first status. */
async function watchInvoice(invoice, subscribe) {
  const seen = [];
  await new Promise((resolve, reject) => {
    subscribe(
      { input: { paymentHash: invoice.paymentHash } },
      {
        error: reject,
        complete: resolve,
        next: ({ data }) => {
          const { status } = data.lnInvoicePaymentStatusByHash;
          seen.push(status);
          if (status === 'PENDING') pay(invoice.paymentRequest).catch(reject);
        },
      },
    );
  });
  return seen;
}

async function apollo() {
  const { calls, watched } = watchedFetch();
  const http = new HttpLink({ uri: url, headers, fetch: watched });
  const hashed = new PersistedQueryLink({ sha256: (text) => createHash('sha256').update(text).digest('hex') });
  const socket = sockets(headers);
  const isSubscription = ({ operationType }) => operationType === 'subscription';
  const link = ApolloLink.split(isSubscription, new GraphQLWsLink(socket), ApolloLink.from([hashed, http]));
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  const query = async () => (await client.query({ query: apolloGql(BALANCE), variables, fetchPolicy: 'network-only' })).data;
  const first = await query();
  const second = await query();
  const queryCalls = [...calls];
  const { data } = await client.mutate({ mutation: apolloGql(INVOICE), variables: { input } });
  const statuses = await watchInvoice(data.lnInvoiceCreate.invoice, (given, observer) =>
    client.subscribe({ query: apolloGql(STATUS), variables: given }).subscribe(observer),
  );
  const refused = await client.query({ query: apolloGql('{ me { nothing } }') }).catch(({ message }) => message);
  await socket.dispose();
  client.stop();
  return { first, second, queryCalls, mutation: data, statuses, refused };
}

async function graphqlWs() {
  const client = sockets({ 'X-API-KEY': alice.apiKey });
  const { lnInvoiceCreate } = await new GraphQLClient(url, { headers }).request(INVOICE, { input });
  const statuses = await watchInvoice(lnInvoiceCreate.invoice, (given, sink) =>
    client.subscribe({ query: STATUS, variables: given }, sink),
  );
  await client.dispose();
  return { statuses };
}

const connectionString = ({ apiKey, walletId }) => `type=blink;server=${url};api-key=${apiKey};wallet-id=${walletId}`;

async function lightningBackends() {
  const backend = backends.prepareBackend('blink', { connectionString: connectionString(alice) });
  const payingBackend = backends.prepareBackend('blink', { connectionString: connectionString(bob) });
  const before = await backend.getBalance();
  const { invoice } = await backend.addInvoice(30_000, { descriptionHash: 'ab'.repeat(32) });
  const hash = backends.getTagDataFromPaymentRequest(invoice, 'payment_hash');
  const open = await backend.getInvoiceStatus(hash);
  const paid = await payingBackend.payInvoice(invoice).then(() => 'paid');
  const settled = await backend.getInvoiceStatus(hash);
  // The library takes this failure as the sign that a key is valid and may pay.
  const failed = await payingBackend.payInvoice(unroutable).catch(({ message }) => message);
  const isKeyValid = payingBackend.checkMethodErrorRegEx.payInvoice.ok.test(failed);
  const refused = await backends
    .prepareBackend('blink', { connectionString: connectionString({ ...bob, apiKey: 'sluice_unknown' }) })
    .getBalance()
    .catch(({ message }) => /status: \d+/.exec(message)[0]);
  return { open, paid, settled, receivedMsat: (await backend.getBalance()) - before, isKeyValid, refused };
}

/** An LNURL service of a shop with Sluice behind it: Bob pays it, and takes money from it. */
async function lnurlService() {
  const address = { host: '127.0.0.1', port, protocol: 'http', url: `http://127.0.0.1:${port}` };
  const lightning = { backend: 'blink', config: { connectionString: connectionString(alice) } };
  const server = lnurl.createServer({ ...address, lightning });
  await once(server, 'listening');
  const metadata = '[["text/plain","A shop"]]';
  const payment = await server.generateNewUrl('payRequest', { minSendable: 1_000, maxSendable: 100_000, metadata });
  const limits = { minWithdrawable: 1_000, maxWithdrawable: 5_000 };
  const withdrawal = await server.generateNewUrl('withdrawRequest', { ...limits, defaultDescription: 'Change' });
  const { lnurlPaymentSend } = await payer.request(LNURL, { input: { walletId: bob.walletId, lnurl: payment.encoded, amount: 40 } });
  const { k1, callback } = await (await fetch(withdrawal.url)).json();
  const { lnInvoiceCreate } = await payer.request(INVOICE, { input: { walletId: bob.walletId, amount: 5 } });
  const { paymentRequest, paymentHash } = lnInvoiceCreate.invoice;
  const answer = await (await fetch(`${callback}?k1=${k1}&pr=${paymentRequest}`)).json();
  const client = sockets({});
  let withdrawn;
  for await (const { data } of client.iterate({ query: STATUS, variables: { input: { paymentHash } } }))
    withdrawn = data.lnInvoicePaymentStatusByHash.status;
  await client.dispose();
  await server.close();
  return { sent: lnurlPaymentSend, answer, withdrawn };
}

const CLIENTS = { urql, graphqlRequest, apollo, graphqlWs, lightningBackends, lnurlService };
const results = {};
for (const [name, client] of Object.entries(CLIENTS)) results[name] = await client().catch((error) => ({ failed: String(error.stack) }));
console.log(JSON.stringify(results));
