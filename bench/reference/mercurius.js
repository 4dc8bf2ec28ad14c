// The reference for reading: Fastify, mercurius with jit, and the SQL of Sluice's `me` (src/user/user.service.ts,
// src/wallet/account.service.ts). It does not authenticate: it trusts the `x-user` header.
import Fastify from 'fastify';
import mercurius from 'mercurius';
import pg from 'pg';

const { connection } = JSON.parse(process.argv[2]);
const pool = new pg.Pool({ ...connection, max: 16 });

const schema = `
  type Query { me: User }
  type User { id: ID! username: String defaultAccount: Account! }
  type Account { id: ID! wallets: [Wallet!]! }
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
  return { id: rows[0].id, wallets: rows };
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
    Wallet: { resolveType: ({ currency }) => (currency === 'BTC' ? 'BTCWallet' : 'UsdWallet') },
    BTCWallet: wallet,
    UsdWallet: wallet,
  },
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.send({ port: app.server.address().port });
