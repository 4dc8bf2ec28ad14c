import type { Credential } from './graphql.js';
import type { ServerProcess } from './server-process.js';
import { WalletClient, type KeyName } from './wallet-client.js';

/** Somebody of demo.json, by the keys that stand there. */
export const demoPerson = (server: ServerProcess, name: 'alice' | 'bob'): WalletClient => {
  const { apiKeys, wallets } = personIn(server, name);
  return new WalletClient(server.url, wallets.BTC, (scope: KeyName) => ({ 'X-API-KEY': apiKeys[scope] }));
};

/** The same wallet with one other credential for everything. */
export const withCredential = ({ url, walletId }: WalletClient, credential: Credential): WalletClient =>
  new WalletClient(url, walletId, () => credential);

/** What demo.json says of somebody. */
export function personIn({ demo }: ServerProcess, name: string): (typeof demo)['users'][string] {
  const person = demo.users[name];
  if (!person) throw new Error(`demo.json knows no ${name}`);
  return person;
}
