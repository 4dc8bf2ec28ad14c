// The reference for updates: graphql-ws on ws with nothing around it. It receives them as Sluice does: NOTIFY wakes it, and it reads rows
// of an outbox, one statement per notification.
import { once } from 'node:events';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import pg from 'pg';
import { WebSocketServer } from 'ws';

const { connection } = JSON.parse(process.argv[2]);
const schema = buildSchema(`
  type Query { nothing: Int }
  type Subscription { myUpdates: MyUpdatesPayload! }
  type MyUpdatesPayload { update: UserUpdate }
  union UserUpdate = LnUpdate
  type LnUpdate { paymentHash: String! status: String! walletId: ID! }`);

const streams = new Map();

/** The updates of one subscriber: `next` resolves when one arrives. */
function streamOf(who) {
  const stream = {
    next: () => new Promise((resolve) => streams.set(who, (value) => resolve({ done: false, value }))),
    return: async () => ({ done: true, value: undefined }),
    [Symbol.asyncIterator]: () => stream,
  };
  return stream;
}
schema.getSubscriptionType().getFields().myUpdates.subscribe = (_, __, { who }) => streamOf(who);

const client = new pg.Client(connection);
await client.connect();
let seen = '0';

async function look() {
  const text = 'SELECT id, key, payload FROM bench.event WHERE id > $1 ORDER BY id LIMIT 500';
  const { rows } = await client.query({ name: 'look', text, values: [seen] });
  for (const { id, key, payload } of rows) {
    seen = id;
    const update = { __typename: 'LnUpdate', paymentHash: payload.payment_hash, status: 'PAID', walletId: payload.wallet_id };
    streams.get(key)?.({ myUpdates: { update } });
  }
}
client.on('notification', () => void look());
// As in Sluice's outbox: avoids a sequential-scan plan made while the table is empty.
await client.query('SET enable_seqscan = off');
await client.query('LISTEN bench_event');

const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/graphql' });
useServer({ schema, context: ({ connectionParams }) => ({ who: connectionParams.who }) }, sockets);
await once(sockets, 'listening');
process.send({ port: sockets.address().port });
