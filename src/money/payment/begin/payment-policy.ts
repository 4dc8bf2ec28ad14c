import { Injectable } from '@nestjs/common';
import { BUDGET_WINDOWS } from '../../../access/limit/index.js';
import type { RegistrationIntent } from '../../../access/user/index.js';
import { CredentialUsage, PolicyCheck, type PaymentVeto, type Principal } from '../../../edge/auth/index.js';
import type { Msat } from '../../../platform/kernel/money.js';
import type { InvoiceIntent } from '../../invoice/index.js';
import { ApprovalStore } from '../approval.store.js';
import type { PaymentQuote, RailName } from '../rails/rail.js';

/** A payment that a principal wants to make; nothing is held yet. */
export interface PaymentIntent {
  readonly principal: Principal;
  readonly walletId: string;
  readonly rail: RailName;
  /** The payee gets this; dollars that go to another wallet count with their worth. */
  readonly amountMsat: Msat;
  /** The node may charge this beside the amount. */
  readonly feeLimitMsat: Msat;
  /** The payee: the public key in a Lightning invoice, or a wallet of Sluice. */
  readonly payee: PaymentQuote['payee'];
  /** The Lightning address that was typed, or that an LNURL is of, in lower case; null: none. */
  readonly lnAddress: string | null;
  readonly paymentHash: string | null;
  readonly memo: string | null;
}

/**
 * Port: an organisation's own rules for payments, invoices and registrations, asked before anything is held, made or stored. Register one by
 * `createApp({ paymentPolicy })`; it may inject what an extension may. Without one, and without an optional method, everything passes.
 */
export abstract class PaymentPolicy {
  /**
   * @returns why the payment must not be made; undefined to let it pass. An error, or no answer within five seconds, refuses the payment
   * too: `PAYMENT_NOT_SENT`
   */
  abstract findVeto(intent: PaymentIntent): Promise<PaymentVeto | undefined>;
  /** The same for an invoice that Sluice is to make for any caller; where the policy fails: `SERVICE_UNAVAILABLE`. */
  findInvoiceVeto?(intent: InvoiceIntent): Promise<PaymentVeto | undefined>;
  /** The same for a person who registers; users that an operator creates pass. */
  findRegistrationVeto?(intent: RegistrationIntent): Promise<PaymentVeto | undefined>;
}

/** Asks the policy about payments, notes refusals by the limits of credentials, and asks owners. */
@Injectable()
export class PaymentPolicyCheck {
  constructor(
    private readonly usage: CredentialUsage,
    private readonly policy: PolicyCheck,
    readonly approvals: ApprovalStore,
  ) {}

  findVeto(intent: PaymentIntent): Promise<PaymentVeto | undefined> {
    return this.policy.findVeto('findVeto', intent, intent.walletId);
  }

  /** The owner of a key sees on its page that a limit has refused a payment. */
  noteLimit({ kind, id }: Principal, result: string): void {
    const window = BUDGET_WINDOWS.find((each) => result === `${each}_budget`);
    if (window !== undefined && kind !== 'anonymous') this.usage.refused(kind, id, `limit:${window}`);
  }
}
