import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bodyFor, graphqlHead, openCallers } from '../harness/graphql.js';
import { countCpu } from '../harness/load.js';

const PAYMENTS = 100;
const WARM_UP = 20;
/** Longer than a durable consumer gathers the events of a stream. */
const PAUSE_MS = 100;
const PASSWORD = 'sluice-demo';
const payBody = bodyFor(
  'mutation Send($input: IntraLedgerPaymentSendInput!) { intraLedgerPaymentSend(input: $input) { status errors { code message } } }',
);
const ADD = 'mutation Add($input: CallbackEndpointAddInput!) { callbackEndpointAdd(input: $input) { errors { message } id } }';

/** A customer's server. `next(memo)` resolves when the webhook of the payment with this memo has arrived. */
async function openReceiver() {
  const waiting = new Map();
  const server = createServer((request, response) => {
    const arrivedAt = performance.now();
    const parts = [];
    request.on('data', (part) => parts.push(part));
    request.on('end', () => {
      response.writeHead(204).end();
      waiting.get(JSON.parse(Buffer.concat(parts).toString()).transaction.memo)?.(arrivedAt);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    next: (memo) => new Promise((resolve) => waiting.set(memo, resolve)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function postJson(url, body, headers = {}) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}

/** Adds an endpoint as its owner does, signed in. */
async function addEndpoint({ url, users }, endpointUrl) {
  const { result } = await postJson(`${url}/auth/login`, { email: users.alice.email, password: PASSWORD });
  const asked = { query: ADD, variables: { input: { url: endpointUrl } } };
  const { data } = await postJson(`${url}/graphql`, asked, { authorization: `Bearer ${result.authToken}` });
  if (!data?.callbackEndpointAdd?.id) throw new Error(`The endpoint was not added: ${JSON.stringify(data)}`);
}

/** Payments, each some time after the webhook of the last, to a person with an endpoint: milliseconds from each answer to the payer to the arrival of its webhook, in order of size. */
async function timesOf({ server, dataDir, fixture }) {
  const demo = { ...JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8')), url: `http://127.0.0.1:${server.port}` };
  const receiver = await openReceiver();
  const callers = await openCallers(server.port, 1);
  const [{ key, walletId }] = fixture.people;
  const head = graphqlHead(key);
  try {
    await addEndpoint(demo, receiver.url);
    const pay = async (n) => {
      await delay(PAUSE_MS);
      const memo = `webhook ${n}`;
      const arrived = receiver.next(memo);
      await callers.ask(
        0,
        head,
        payBody({ walletId, recipientWalletId: demo.users.alice.wallets.BTC, amount: 1, memo }),
        '"status":"SUCCESS"',
      );
      const answeredAt = performance.now();
      return (await arrived) - answeredAt;
    };
    for (let n = 0; n < WARM_UP; n++) await pay(-n);
    const cpuOf = countCpu({ pid: server.pid, databasePid: server.databasePid });
    const times = [];
    for (let n = 1; n <= PAYMENTS; n++) times.push(await pay(n));
    return { times: times.sort((a, b) => a - b), cpu: cpuOf(PAYMENTS) };
  } finally {
    callers.close();
    receiver.close();
  }
}

let measured;
const figureOf = (context, quantile) =>
  (measured ??= timesOf(context)).then(({ times, cpu }) => {
    const value = times[Math.ceil(times.length * quantile) - 1];
    return { ours: { value, ...cpu }, reference: null, verdict: value, range: null };
  });

/** Two result rows of one measurement. */
export const webhook = {
  name: 'webhook',
  title: `a webhook, from the answer to the payer to its arrival, ${PAYMENTS} payments, each ${PAUSE_MS} ms after the webhook of the last`,
  unit: 'ms',
  target: { below: 100 },
  run: (context) => figureOf(context, 0.5),
};

export const webhookSlowest = {
  name: 'webhook-p99',
  title: 'the same, 99th percentile',
  unit: 'ms',
  target: { below: 100 },
  run: (context) => figureOf(context, 0.99),
};
