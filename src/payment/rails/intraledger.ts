import { Injectable } from '@nestjs/common';
import { isAmount, msatOfSats } from '../../kernel/money.js';
import { isUuid } from '../../kernel/uuid.js';
import { DealerService } from '../../price/index.js';
import type { InstantRail, PaymentQuote, RailPayer, Refused } from './rail.js';

/** An amount for another wallet of Sluice. */
export interface IntraLedgerOrder {
  readonly recipientWalletId: string;
  readonly amountSats: number;
}

/** Moves bitcoin to another wallet of Sluice, at once and without a fee; the dealer exchanges what goes to a wallet in dollars. */
@Injectable()
export class IntraLedgerRail implements InstantRail<IntraLedgerOrder> {
  readonly name = 'intraledger';

  constructor(private readonly dealer: DealerService) {}

  async quote({ memo }: RailPayer, { recipientWalletId, amountSats }: IntraLedgerOrder): Promise<PaymentQuote | Refused> {
    if (!isAmount(amountSats)) return { kind: 'refused', reason: 'invalid_amount' };
    if (!isUuid(recipientWalletId)) return { kind: 'refused', reason: 'unknown_recipient' };
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
      toNode: false,
      amountCents: null,
      ...this.dealer.rate,
    };
  }
}
