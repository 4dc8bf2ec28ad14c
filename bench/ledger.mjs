// The ledger's cost: operations per second beside the floor of a bare function with two updates and two inserts.
//
//   DATABASE_URL=postgres://... node bench/ledger.mjs [seconds per case, default 3]
//
// Works in its own schema, which it drops at the end. Every figure contains the machine's noise: compare ratios of one run.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';

const SECONDS = Number(process.argv[2] ?? 3);
const ROUNDS = 3;
const CUSTOMERS = 5_000;
const FIRST_CUSTOMER = 1_000;
const CONNECTIONS = 16;
const CALLERS = 512;
const BATCH = 256;
const [LIGHTNING, FEES] = [-1, -2];
const schema = `bench_ledger_${process.pid}`;
let replays = 0;

const FLOOR = `
  CREATE TABLE floor_account (id bigint PRIMARY KEY, posted bigint NOT NULL) WITH (fillfactor = 60);
  CREATE TABLE floor_entry (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id bigint NOT NULL, amount bigint NOT NULL);
  INSERT INTO floor_account SELECT id, 1000000000 FROM ledger_account;
  CREATE FUNCTION floor_transfer(p_from bigint, p_to bigint, p_amount bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE floor_account SET posted = posted - p_amount * sign(p_to - p_from)::int WHERE id = least(p_from, p_to);
    UPDATE floor_account SET posted = posted + p_amount * sign(p_to - p_from)::int WHERE id = greatest(p_from, p_to);
    INSERT INTO floor_entry (account_id, amount) VALUES (p_from, -p_amount);
    INSERT INTO floor_entry (account_id, amount) VALUES (p_to, p_amount);
  END $$;`;

async function connect() {
  const client = new pg.Client({ connectionString: process.env.DATABASE_URL, options: `-c search_path=${schema}` });
  client.on('notice', ({ message }) => (replays += /is replayed/.test(message ?? '') ? 1 : 0));
  await client.connect();
  return client;
}

async function apply(client, operations) {
  const literalOf = ({ op, idem, legs, hold = '' }) => `(${op},${idem},1,${hold},"{${legs.map((leg) => `""(${leg})""`).join(',')}}")`;
  const { rows } = await client.query({
    name: 'apply',
    text: 'SELECT ledger_apply($1::ledger_operation[]) AS results',
    values: [operations.map(literalOf)],
  });
  const refused = rows[0].results.find((result) => result !== 'ok');
  if (refused) throw new Error(`an operation was ${refused}`);
}

const someone = () => FIRST_CUSTOMER + Math.floor(Math.random() * CUSTOMERS);
const operation = (op, legs, hold) => ({ op, idem: randomUUID(), legs, hold });
const pair = () => {
  const payer = someone();
  return [payer, payer === FIRST_CUSTOMER ? payer + 1 : payer - 1];
};

/** The work of one caller; `send` applies one operation. Returns the number of operations. */
const WORK = {
  async transfer(send) {
    const [payer, payee] = pair();
    await send(operation('post', [[payer, -10], [payee, 10]])); // prettier-ignore
    return 1;
  },
  async 'transfer with a hot fee leg'(send) {
    const [payer, payee] = pair();
    await send(operation('post', [[payer, -10], [payee, 9], [FEES, 1]])); // prettier-ignore
    return 1;
  },
  async 'hold, then capture to a hot account'(send) {
    const payer = someone();
    const hold = operation('hold', [[payer, -20]]);
    await send(hold);
    await send(operation('capture', [[payer, -15], [LIGHTNING, 15]], hold.idem)); // prettier-ignore
    return 2;
  },
};

/** Natural batching, as `Batcher` in src/platform/database does it. */
function lane(client) {
  const queue = [];
  let busy = false;
  const drain = async () => {
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH);
      await apply(
        client,
        batch.map(({ item }) => item),
      );
      batch.forEach(({ resolve }) => resolve());
      await new Promise(setImmediate);
    }
    busy = false;
  };
  return (item) =>
    new Promise((resolve, reject) => {
      queue.push({ item, resolve });
      if (!busy) setImmediate(() => drain().catch(reject));
      busy = true;
    });
}

async function rate(callers, work) {
  const started = performance.now();
  let done = 0;
  const caller = async (_, index) => {
    while (performance.now() - started < SECONDS * 1000) {
      const operations = await work(index);
      done += operations;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return done / ((performance.now() - started) / 1000);
}

async function prepare(client) {
  await client.query(`CREATE SCHEMA ${schema}`);
  for (const name of [
    '1764000002000-ledger',
    ...['constants', 'account', 'operation', 'apply', 'audit'].map((noun) => `functions/ledger_${noun}`),
  ])
    await client.query(readFileSync(new URL(`../migrations/${name}.sql`, import.meta.url), 'utf8'));
  await client.query(
    `SELECT set_config('search_path', '${schema}', false), count(ledger_open(1::smallint)) FROM generate_series(1, ${CUSTOMERS})`,
  );
  for (let first = 0; first < CUSTOMERS; first += 250) {
    await apply(client, Array.from({ length: 250 }, (_, index) => operation('post', [[LIGHTNING, -1e12], [FIRST_CUSTOMER + first + index, 1e12]]))); // prettier-ignore
  }
  await client.query(FLOOR);
}

const admin = await connect();
try {
  await prepare(admin);
  const clients = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
  await admin.query('VACUUM ANALYZE');
  const cases = {
    floor: () =>
      rate(
        CONNECTIONS,
        async (n) => (await clients[n].query({ name: 'floor', text: 'SELECT floor_transfer($1, $2, 10)', values: pair() })).rowCount,
      ),
  };
  for (const [name, work] of Object.entries(WORK)) {
    cases[`${name}, a call each, ${CONNECTIONS} connections`] = () => rate(CONNECTIONS, (n) => work((item) => apply(clients[n], [item])));
    cases[`${name}, one lane of up to ${BATCH}`] = () => {
      const send = lane(clients[0]);
      return rate(CALLERS, () => work(send));
    };
  }
  const rates = new Map(Object.keys(cases).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) for (const [name, run] of Object.entries(cases)) rates.get(name).push(await run());
  const median = (name) => rates.get(name).sort((a, b) => a - b)[ROUNDS >> 1];
  for (const name of rates.keys())
    console.log(
      `${name.padEnd(60)}${median(name).toFixed(0).padStart(7)}/s ${(median(name) / median('floor')).toFixed(2).padStart(6)} x floor`,
    );
  const { rows } = await admin.query(`SELECT * FROM ledger_audit WHERE n <> 0`);
  console.log(`replayed batches: ${replays}; audit findings: ${rows.length}`);
  await Promise.all(clients.map((client) => client.end()));
} finally {
  await admin.query(`DROP SCHEMA ${schema} CASCADE`);
  await admin.end();
}
