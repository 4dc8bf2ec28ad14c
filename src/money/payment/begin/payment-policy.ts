import { Injectable } from '@nestjs/common';
import { BUDGET_WINDOWS } from '../../../access/limit/index.js';
import { CredentialUsage, type Principal } from '../../../edge/auth/index.js';
import type { Msat } from '../../../platform/kernel/money.js';
import { within } from '../../../platform/kernel/within.js';
import { Log } from '../../../platform/logging/index.js';
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
  readonly paymentHash: string | null;
  readonly memo: string | null;
}

/** The reason of a policy, which the payer receives as an error of the payload. */
export interface PaymentVeto {
  /** Stable, in capitals: clients match it. */
  readonly code: string;
  readonly message: string;
}

/**
 * Port: an organisation's own rules for payments, asked before any money is held. Register one by `createApp({ paymentPolicy })`; it may
 * inject what an extension may. Without one, every payment passes.
 */
export abstract class PaymentPolicy {
  /**
   * @returns why the payment must not be made; undefined to let it pass. An error, or no answer within five seconds, refuses the payment
   * too: `PAYMENT_NOT_SENT`
   */
  abstract findVeto(intent: PaymentIntent): Promise<PaymentVeto | undefined>;
}

const MAX_POLICY_MS = 5_000;

/** Asks the policy of the organisation, if it has one, and notes refusals by the limits of credentials. */
@Injectable()
export class PaymentPolicyCheck {
  private readonly log = new Log(PaymentPolicyCheck.name);
  private policy: PaymentPolicy | undefined;

  constructor(private readonly usage: CredentialUsage) {}

  use(policy: PaymentPolicy): void {
    this.policy = policy;
  }

  /** @returns `unavailable`: the policy has failed, so the payment must not begin */
  async findVeto(intent: PaymentIntent): Promise<PaymentVeto | 'unavailable' | undefined> {
    const { policy } = this;
    if (!policy) return undefined;
    try {
      return await within(MAX_POLICY_MS, policy.findVeto(intent), () => {
        throw new Error(`it did not answer within ${MAX_POLICY_MS / 1000} s`);
      });
    } catch (error) {
      this.log.error(
        'payment_policy_failed',
        { walletId: intent.walletId },
        `The payment policy failed, so a payment was refused: ${(error as Error).message}`,
        error,
      );
      return 'unavailable';
    }
  }

  /** The owner of a key sees on its page that a limit has refused a payment. */
  noteLimit({ kind, id }: Principal, result: string): void {
    const window = BUDGET_WINDOWS.find((each) => result === `${each}_budget`);
    if (window !== undefined && kind !== 'anonymous') this.usage.refused(kind, id, `limit:${window}`);
  }
}
