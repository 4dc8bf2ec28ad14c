import { ResolveField, Resolver } from '@nestjs/graphql';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { balanceOf, type WalletRow } from './wallet.row.js';

type WalletField = 'walletCurrency' | 'balance' | 'pendingIncomingBalance';

/** The fields that both kinds of wallet share. */
abstract class WalletFields {
  @ResolveField()
  walletCurrency(wallet: WalletRow): Result<'BTCWallet', 'walletCurrency'> {
    return wallet.currency;
  }

  @ResolveField()
  balance(wallet: WalletRow): number {
    return balanceOf(wallet);
  }

  /** Only on-chain deposits can be pending, and this version accepts none; a Lightning payment arrives settled. */
  @ResolveField()
  pendingIncomingBalance(): number {
    return 0;
  }
}

@Resolver('BTCWallet')
export class BtcWalletResolver extends WalletFields implements Implements<'BTCWallet', WalletField> {}

@Resolver('UsdWallet')
export class UsdWalletResolver extends WalletFields implements Implements<'UsdWallet', WalletField> {}
