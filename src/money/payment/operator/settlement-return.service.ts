import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../edge/auth/index.js';
import { Config } from '../../../platform/config/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { SettlementStore, type NewReturn, type ReturnRefusal } from '../../invoice/index.js';
import { deterministicUuid, newId } from '../../../platform/kernel/uuid.js';
import { decodeInvoice, LightningNode } from '../../lightning/index.js';
import type { PaymentOutcome } from '../payment.outcome.js';
import { PaymentService } from '../begin/payment.service.js';

interface SettlementReturn extends Pick<NewReturn, 'paymentHash' | 'accountId' | 'who' | 'because'> {
  /** An invoice of the sender, of what was received or less. */
  readonly paymentRequest: string;
}

export type SettlementReturnOutcome =
  | { readonly kind: 'bad_invoice' | 'no_amount' | 'wrong_network' | 'expired' | 'node_unavailable' }
  | { readonly kind: ReturnRefusal }
  | { readonly kind: 'paid'; readonly outcome: PaymentOutcome };

/** Returns settlements of unknown invoices: to the wallet of an operator, and from there by an ordinary payment. */
@Injectable()
export class SettlementReturnService {
  constructor(
    private readonly config: Config,
    private readonly settlements: SettlementStore,
    private readonly payments: PaymentService,
    private readonly lightning: LightningNode,
    private readonly clock: Clock,
  ) {}

  /** @returns a refusal, before any money has moved, or the outcome of the payment; repeat the call after one that failed */
  async returnToSender({ paymentHash, paymentRequest, accountId, who, because }: SettlementReturn): Promise<SettlementReturnOutcome> {
    const decoded = decodeInvoice(paymentRequest);
    if (!decoded.ok) return { kind: 'bad_invoice' };
    const { amountMsat, network, expiresAt, paymentHash: invoiceHash } = decoded.invoice;
    if (amountMsat === null) return { kind: 'no_amount' };
    if (network !== this.config.network) return { kind: 'wrong_network' };
    if (expiresAt.getTime() <= this.clock.now()) return { kind: 'expired' };
    // A process that has just started learns here which node it has.
    if ((await this.lightning.info()).status !== 'ready') return { kind: 'node_unavailable' };
    const newAttempt = `settlement return ${newId()}`;
    const begun = await this.settlements.beginReturn({
      ...{ paymentHash, accountId, amountMsat, invoiceHash, who, because },
      attempt: newAttempt,
      paymentId: deterministicUuid(newAttempt),
    });
    if (begun.outcome !== 'ready') return { kind: begun.outcome };
    const { attempt, userId, walletId } = begun;
    const principal: Principal = { kind: 'external', id: 'settlement return', userId, scopes: new Set(['write']) };
    const memo = `Return of ${paymentHash}`;
    return { kind: 'paid', outcome: await this.payments.pay({ principal, userId, walletId, memo, attempt }, { paymentRequest }) };
  }
}
