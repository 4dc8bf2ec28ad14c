import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../platform/kernel/uuid.js';
import { DealerService } from '../../price/index.js';
import { refused, type Refused } from '../payment.outcome.js';
import { chosenMsat, WITHOUT_NODE, type ChosenAmount, type InstantRail, type PaymentQuote, type RailPayer } from './rail.js';

export interface IntraLedgerOrder extends ChosenAmount {
  readonly recipientWalletId: string;
}

/** Moves money to another wallet of Sluice, at once and without a fee; the dealer exchanges it for a wallet in the other currency. */
@Injectable()
export class IntraLedgerRail implements InstantRail<IntraLedgerOrder> {
  readonly name = 'intraledger';

  constructor(private readonly dealer: DealerService) {}

  async quote({ memo }: RailPayer, order: IntraLedgerOrder): Promise<PaymentQuote | Refused> {
    const { recipientWalletId, amountCents } = order;
    if (!isUuid(recipientWalletId)) return refused('unknown_recipient');
    const { rate } = this.dealer;
    const amountMsat = chosenMsat(order, rate.ask);
    if (typeof amountMsat === 'string') return refused(amountMsat);
    return {
      ...WITHOUT_NODE,
      recipientWalletId,
      paymentRequest: null,
      payee: { walletId: recipientWalletId },
      amountMsat,
      feeLimitMsat: 0n,
      memo: memo || null,
      amountCents: amountCents === undefined ? null : BigInt(amountCents),
      ...rate,
    };
  }
}
