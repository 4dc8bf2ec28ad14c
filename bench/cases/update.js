import { setTimeout as delay } from 'node:timers/promises';
import { startReference } from '../harness/child.js';
import { compare, median } from '../harness/rounds.js';
import { openSockets } from '../harness/sockets.js';
import { connect } from '../harness/fixture.js';

const SOCKETS = 1_000;
/** Time for the subscriptions to start: a socket is acknowledged before its stream runs. */
const SETTLE_MS = 1_000;
const QUERY = 'subscription { myUpdates { update { __typename ... on LnUpdate { paymentHash status walletId } } } }';

// One committed statement publishes each update; its commit does not wait for the disk, to measure only the delivery after it.
const TELL_OURS = {
  name: 'tell_ours',
  text: `SELECT history_publish(ARRAY(SELECT t FROM transaction t WHERE t.id = $1)), pg_notify('sluice_event', '')`,
};
const TELL_THEIRS = {
  name: 'tell_theirs',
  text: `WITH added AS (INSERT INTO bench.event (key, payload) SELECT t.account_id, to_jsonb(t) FROM transaction t WHERE t.id = $1 RETURNING 1)
         SELECT pg_notify('bench_event', '') FROM added`,
};

/** One update after the other, each to a random user: the median of their times, in milliseconds. */
const deliveries = (sockets, tell) => async (ms) => {
  const began = performance.now();
  const times = [];
  while (performance.now() - began < ms) {
    const index = Math.floor(Math.random() * SOCKETS);
    const arrived = sockets.next(index);
    const sentAt = performance.now();
    const [update] = await Promise.all([arrived, tell(index)]);
    times.push(performance.now() - sentAt);
    if (update.data?.myUpdates.update.__typename !== 'LnUpdate') throw new Error(`A strange update: ${JSON.stringify(update)}`);
  }
  return { value: median(times), cpu: null };
};

export default {
  name: 'update',
  title: `one update to its subscriber among ${SOCKETS.toLocaleString('en')} sockets, from its statement to the frame`,
  reference: 'bare graphql-ws, fed by an outbox of the same kind',
  unit: 'ms',
  target: { atMost: 1.5 },
  async run({ fixture, server, connection, plan }) {
    const client = await connect(connection);
    await client.query('SET synchronous_commit = off');
    const bare = await startReference('graphql-ws', { connection });
    const { people } = fixture;
    const ours = await openSockets({
      port: server.port,
      count: SOCKETS,
      query: QUERY,
      payloadOf: (index) => ({ 'X-API-KEY': people[index].key }),
    });
    const theirs = await openSockets({
      port: bare.ready.port,
      count: SOCKETS,
      query: QUERY,
      payloadOf: (index) => ({ who: people[index].accountId }),
    });
    await delay(SETTLE_MS);
    const tell = (statement) => (index) => client.query({ ...statement, values: [people[index].transactionId] });
    try {
      return await compare(plan, { ours: deliveries(ours, tell(TELL_OURS)), reference: deliveries(theirs, tell(TELL_THEIRS)) });
    } finally {
      ours.close();
      theirs.close();
      await Promise.all([client.end(), bare.stop()]);
    }
  },
};
