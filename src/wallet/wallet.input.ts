import type { QueryAccountDefaultWalletArgs } from '../generated/graphql.js';
import type { Complete } from '../graphql/index.js';
import type { Currency } from './currency.js';

export class DefaultWalletArgs implements Complete<QueryAccountDefaultWalletArgs> {
  username!: string;
  walletCurrency!: Currency | null | undefined;
}
