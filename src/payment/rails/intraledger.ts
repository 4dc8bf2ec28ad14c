import { Injectable } from '@nestjs/common';
import { msatOfSats } from '../../kernel/money.js';
import type { InstantRail, PaymentQuote, RailPayer, Refused } from './rail.js';

/** An amount for another wallet of Sluice. */
export interface IntraLedgerOrder {
  readonly recipientWalletId: string;
  readonly amountSats: number;
}

/** Moves money between two wallets of Sluice, at once and without a fee. */
@Injectable()
export class IntraLedgerRail implements InstantRail<IntraLedgerOrder> {
  readonly name = 'intraledger';

  async quote({ memo }: RailPayer, { recipientWalletId, amountSats }: IntraLedgerOrder): Promise<PaymentQuote | Refused> {
    if (amountSats <= 0) return { kind: 'refused', reason: 'invalid_amount' };
    return {
      kind: 'quote',
      accountId: null,
      recipientWalletId,
      paymentHash: null,
      paymentRequest: null,
      payee: { walletId: recipientWalletId },
      expiresAt: null,
      amountMsat: msatOfSats(amountSats),
      feeLimitMsat: 0n,
      memo: memo || null,
      nodeId: null,
      toUs: false,
    };
  }
}
