import { Injectable } from '@nestjs/common';
import { isAmount, MAX_AMOUNT_MSAT } from '../../kernel/money.js';
import { isUuid } from '../../kernel/uuid.js';
import { DealerService, wholeMsatOf } from '../../price/index.js';
import type { InstantRail, PaymentQuote, RailPayer, Refused } from './rail.js';

/** An amount in cents for another wallet of Sluice. */
export interface IntraLedgerUsdOrder {
  readonly recipientWalletId: string;
  readonly amountCents: number;
}

/** Moves dollars to another wallet of Sluice, at once and without a fee; the dealer exchanges what goes to a wallet in bitcoin. */
@Injectable()
export class IntraLedgerUsdRail implements InstantRail<IntraLedgerUsdOrder> {
  readonly name = 'intraledger';

  constructor(private readonly dealer: DealerService) {}

  async quote({ memo }: RailPayer, { recipientWalletId, amountCents }: IntraLedgerUsdOrder): Promise<PaymentQuote | Refused> {
    if (!isAmount(amountCents)) return { kind: 'refused', reason: 'invalid_cents' };
    if (!isUuid(recipientWalletId)) return { kind: 'refused', reason: 'unknown_recipient' };
    const { bid, ask } = this.dealer.rate;
    if (ask === null) return { kind: 'refused', reason: 'no_price' };
    const amountMsat = wholeMsatOf(BigInt(amountCents), ask);
    if (amountMsat === 0n) return { kind: 'refused', reason: 'amount_too_small' };
    if (amountMsat > MAX_AMOUNT_MSAT) return { kind: 'refused', reason: 'out_of_range' };
    return {
      kind: 'quote',
      accountId: null,
      recipientWalletId,
      paymentHash: null,
      paymentRequest: null,
      payee: { walletId: recipientWalletId },
      expiresAt: null,
      amountMsat,
      feeLimitMsat: 0n,
      memo: memo || null,
      nodeId: null,
      toNode: false,
      amountCents: BigInt(amountCents),
      bid,
      ask,
    };
  }
}
