import { Injectable } from '@nestjs/common';
import type { PaymentKind } from '../payment.entity.js';
import { IntraLedgerRail } from './intraledger.js';
import { LightningRail, type LightningQuote } from './lightning.js';
import { OnChainRail } from './onchain.js';
import type { InstantRail, RailStatus, SendingRail, SentPayment } from './rail.js';

type AnyRail = InstantRail<never> | SendingRail<never, LightningQuote>;

/** Every rail, and the kinds of payments that it begins. A new rail is a file beside this one, and is listed here. */
@Injectable()
export class PaymentRails {
  private readonly ofKind: Readonly<Record<PaymentKind, AnyRail>>;

  constructor(
    readonly lightning: LightningRail,
    readonly intraLedger: IntraLedgerRail,
    readonly onChain: OnChainRail,
  ) {
    this.ofKind = { ln: lightning, internal: lightning, intraledger: intraLedger, onchain: onChain };
  }

  get areReady(): boolean {
    return Object.values(this.ofKind).some((rail) => rail.send !== undefined && rail.isReady);
  }

  /** A newer release, beside this one, may have kinds that are `unknown` here. */
  async status({ kind, ...payment }: SentPayment & { readonly kind: PaymentKind }): Promise<RailStatus> {
    const rail = this.ofKind[kind] as AnyRail | undefined;
    return rail?.send === undefined ? { status: 'unknown' } : rail.status(payment);
  }
}
