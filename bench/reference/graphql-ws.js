// The reference for updates: graphql-ws on ws with nothing around it, told by PostgreSQL's NOTIFY whom to send one to.
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

/** The updates of one subscriber: a promise that is kept when one comes. */
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
client.on('notification', ({ payload: who }) => {
  const update = { __typename: 'LnUpdate', paymentHash: 'ab'.repeat(32), status: 'PAID', walletId: who };
  streams.get(who)?.({ myUpdates: { update } });
});
await client.query('LISTEN bench_update');

const sockets = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/graphql' });
useServer({ schema, context: ({ connectionParams }) => ({ who: connectionParams.who }) }, sockets);
await once(sockets, 'listening');
process.send({ port: sockets.address().port });
