// Users with keys and money, inserted into the server's database by the statements that open an account and move money.
import { randomBytes, randomUUID } from 'node:crypto';
import pg from 'pg';
import { EmbeddedPostgres } from '../../dist/src/platform/embedded-postgres/index.js';
import { hashToken, mintToken } from '../../dist/src/platform/kernel/token.js';

export const PEOPLE = 1_000;
const MSAT_EACH = 1_000_000_000_000n; // 10 BTC
const OUTSIDE = '-1'; // the ledger's account for what came by Lightning
const RECEIPT = 2;
const CENTS_PER_BTC = 6_125_000;
const SCOPES = ['read', 'receive', 'write'];

/** The connection to the database of the server that runs on this folder. */
export async function connectionOf(dataDir) {
  const connection = await EmbeddedPostgres.findRunning(dataDir);
  if (!connection) throw new Error('The server runs no database of its own');
  return connection;
}

export async function connect(connection) {
  const client = new pg.Client({ ...connection });
  await client.connect();
  // The server ends its database when a case has failed: that is not the fault to show.
  client.on('error', () => undefined);
  return client;
}

/**
 * @param {pg.Client} client of the server's database
 * @returns users: `{ userId, accountId, walletId, key, transactionId }`, the last of the receipt that funded them
 */
export async function populate(client) {
  const people = Array.from({ length: PEOPLE }, () => ({ userId: randomUUID(), key: mintToken('sluice'), transactionId: randomUUID() }));
  const column = (name) => people.map((person) => person[name]);
  await client.query(
    `INSERT INTO app_user (id, email, username, password_hash)
     SELECT id, 'bench' || n || '@example.test', 'bench_' || n, '' FROM unnest($1::uuid[]) WITH ORDINALITY AS x(id, n)`,
    [column('userId')],
  );
  await client.query(
    `INSERT INTO api_key (id, user_id, name, scopes, key_hash, hint) SELECT gen_random_uuid(), u, 'bench', $3, h, '' FROM unnest($1::uuid[], $2::bytea[]) AS x(u, h)`,
    [column('userId'), people.map(({ key }) => hashToken(key)), SCOPES],
  );
  const { rows } = await client.query(
    `SELECT a.user_id, a.id AS account_id, w.id AS wallet_id, w.ledger_account_id FROM account a JOIN wallet w ON w.account_id = a.id WHERE w.currency = 'BTC' AND a.user_id = ANY ($1)`,
    [column('userId')],
  );
  const wallets = new Map(rows.map((row) => [row.user_id, row]));
  const full = people.map((person) => ({ ...person, ...camel(wallets.get(person.userId)) }));
  await fund(client, full);
  await client.query('VACUUM ANALYZE');
  return full;
}

const camel = ({ account_id: accountId, wallet_id: walletId, ledger_account_id: ledgerId }) => ({ accountId, walletId, ledgerId });

/** One receipt each, in the ledger and in the history. */
export async function fund(client, people) {
  const { rows } = await client.query(
    `SELECT ledger_apply(ARRAY(
       SELECT ROW('post', gen_random_uuid(), $2, NULL, ARRAY[ROW($3, -$4::bigint), ROW(id, $4::bigint)]::ledger_leg[])::ledger_operation
         FROM unnest($1::bigint[]) AS x(id))) AS codes`,
    [people.map(({ ledgerId }) => ledgerId), RECEIPT, OUTSIDE, MSAT_EACH],
  );
  if (rows[0].codes.some((code) => code !== 'ok')) throw new Error('The ledger refused the money');
  await client.query(
    `SELECT history_add_v2(ARRAY(
       SELECT ROW(id, wallet, 'RECEIVE', 'SUCCESS', $3::bigint, 0, 'bench', NULL, 'ln', 'ln', hash, NULL, NULL, NULL, NULL, NULL, ${CENTS_PER_BTC}, false, NULL, NULL, NULL)::history_row_v2
         FROM unnest($1::uuid[], $2::uuid[], $4::text[]) AS x(id, wallet, hash)))`,
    [
      people.map(({ transactionId }) => transactionId),
      people.map(({ walletId }) => walletId),
      MSAT_EACH,
      people.map(() => randomBytes(32).toString('hex')),
    ],
  );
}

/** The number of findings of the ledger's audit: must be 0 after every run. */
export async function auditOf(client) {
  const { rows } = await client.query('SELECT * FROM ledger_audit WHERE n <> 0');
  return rows.length;
}

/** Tables with many sequentially read rows: a sign of a statement that was planned while they were empty. */
export async function readWhole(client) {
  const { rows } = await client.query(
    `SELECT relname AS name, seq_tup_read AS n FROM pg_stat_user_tables WHERE schemaname IN ('public', 'simulator') AND seq_tup_read > 100000 ORDER BY n DESC`,
  );
  if (rows.length === 0) return 'no table was read row by row';
  return `read row by row: ${rows.map(({ name, n }) => `${name} (${Number(n).toLocaleString('en')} rows)`).join(', ')}`;
}
