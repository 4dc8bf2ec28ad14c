// The reference for reading: Fastify, mercurius with jit, and the SQL of Sluice's `me` (src/access/user/user.service.ts,
// src/money/wallet/account.service.ts) and of its history, written by hand for what the query selects. It does not authenticate: it trusts the `x-user` header.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import pg from 'pg';

const { connection } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...connection, max: 16 });

const schema = `
  type Query { me: User }
  type User { id: ID! username: String defaultAccount: Account! }
  type Account { id: ID! wallets: [Wallet!]! transactions(first: Int!): TransactionConnection! }
  type TransactionConnection { pageInfo: PageInfo! edges: [TransactionEdge!]! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type TransactionEdge { cursor: String! node: Transaction! }
  type Transaction {
    id: ID! direction: String! status: String! memo: String createdAt: Float!
    settlementAmount: Float! settlementFee: Float! settlementCurrency: String!
  }
  interface Wallet { id: ID! walletCurrency: String! balance: Float! }
  type BTCWallet implements Wallet { id: ID! walletCurrency: String! balance: Float! }
  type UsdWallet implements Wallet { id: ID! walletCurrency: String! balance: Float! }`;

const ask = (name, text, value) => pool.query({ name, text, values: [value] }).then(({ rows }) => rows);
const userOf = async (id) =>
  (
    await ask('user', 'SELECT id, email, username, language, is_operator, email_verified_at, created_at FROM app_user WHERE id = $1', id)
  )[0];
const accountOf = async (userId) => {
  const rows = await ask(
    'account',
    `SELECT a.id, a.user_id, a.level, a.display_currency, a.default_wallet_id, w.id AS wallet_id, w.currency, l.posted, l.held
       FROM account a JOIN wallet w ON w.account_id = a.id JOIN ledger_account l ON l.id = w.ledger_account_id
      WHERE a.user_id = $1 ORDER BY w.currency`,
    userId,
  );
  return { id: rows[0].id, wallets: rows, walletIds: rows.map((row) => row.wallet_id) };
};
const historyOf = async (walletIds, first) => {
  const rows = await ask(
    'history',
    `SELECT page.* FROM (VALUES (($1::uuid[])[1]), (($1::uuid[])[2])) AS wallet (id)
      CROSS JOIN LATERAL (SELECT id, direction, status, memo, amount, fee, currency, created_at FROM transaction WHERE wallet_id = wallet.id
                           ORDER BY created_at DESC, id DESC LIMIT ${first + 1}) AS page
      ORDER BY page.created_at DESC, page.id DESC LIMIT ${first + 1}`,
    walletIds,
  );
  const edges = rows
    .slice(0, first)
    .map((node) => ({ cursor: Buffer.from(`${node.created_at.getTime()} ${node.id}`).toString('base64url'), node }));
  return { edges, pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null } };
};
const unit = ({ currency }) => (currency === 'BTC' ? 1000 : 1);
const transaction = {
  createdAt: (row) => Math.floor(row.created_at.getTime() / 1000),
  settlementAmount: (row) => Math.trunc(Number(row.amount) / unit(row)),
  settlementFee: (row) => Math.trunc(Number(row.fee) / unit(row)),
  settlementCurrency: (row) => row.currency,
};
const wallet = {
  id: (row) => row.wallet_id,
  walletCurrency: (row) => row.currency,
  balance: (row) => (row.currency === 'BTC' ? Math.floor((row.posted - row.held) / 1000) : Number(row.posted - row.held)),
};

const app = Fastify();
await app.register(mercurius, {
  schema,
  jit: 1,
  context: (request) => ({ userId: request.headers['x-user'] }),
  resolvers: {
    Query: { me: (_, __, { userId }) => userOf(userId) },
    User: { defaultAccount: ({ id }) => accountOf(id) },
    Account: { transactions: ({ walletIds }, { first }) => historyOf(walletIds, first) },
    Transaction: transaction,
    Wallet: { resolveType: ({ currency }) => (currency === 'BTC' ? 'BTCWallet' : 'UsdWallet') },
    BTCWallet: wallet,
    UsdWallet: wallet,
  },
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send({ port: app.server.address().port });
