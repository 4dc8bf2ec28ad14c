import type { CredentialHeaders } from './graphql.js';
import type { ServerProcess } from './server-process.js';
import { WalletClient, type KeyName } from './wallet-client.js';

/** The wallet of a person in demo.json, with the keys from that file. */
export const demoPerson = (server: ServerProcess, name: 'alice' | 'bob'): WalletClient => {
  const { apiKeys, wallets } = personIn(server, name);
  return new WalletClient(server.url, wallets.BTC, (scope: KeyName) => ({ 'X-API-KEY': apiKeys[scope] }));
};

/** The same wallet with one other credential for everything. */
export const withCredential = ({ url, walletId }: WalletClient, credential: CredentialHeaders): WalletClient =>
  new WalletClient(url, walletId, () => credential);

/** A person's entry in demo.json. */
export function personIn({ demo }: ServerProcess, name: string): (typeof demo)['users'][string] {
  const person = demo.users[name];
  if (!person) throw new Error(`demo.json knows no ${name}`);
  return person;
}
