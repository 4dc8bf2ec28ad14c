import { Injectable } from '@nestjs/common';
import { within } from '../../platform/kernel/within.js';
import { Log } from '../../platform/logging/index.js';

/** The reason of a policy, which the caller receives as an error. Also for invoices and registrations; the name is public. */
export interface PaymentVeto {
  /** Stable, in capitals: clients match it. */
  readonly code: string;
  readonly message: string;
}

type Answer = Promise<PaymentVeto | undefined>;

/** The questions of `PaymentPolicy`; the folder that asks one declares what it is about. */
interface Policy {
  findVeto(payment: unknown): Answer;
  findInvoiceVeto?(invoice: unknown): Answer;
  findRegistrationVeto?(registration: unknown): Answer;
}

const MAX_POLICY_MS = 5_000;

/** The policy has failed, so nothing may begin. */
export const POLICY_UNAVAILABLE: PaymentVeto = Object.freeze({
  code: 'SERVICE_UNAVAILABLE',
  message: 'This server cannot decide on your request now. Please try again later.',
});

/** Asks the policy of the organisation, if it has one. */
@Injectable()
export class PolicyCheck {
  private readonly log = new Log(PolicyCheck.name);
  private policy: Policy | undefined;

  use(policy: Policy): void {
    this.policy = policy;
  }

  /** @param walletId for the log */
  async findVeto<Intent>(question: keyof Policy, intent: Intent, walletId?: string): Answer {
    try {
      const answer = this.policy?.[question]?.(intent);
      return await (answer &&
        within(MAX_POLICY_MS, answer, () => {
          throw new Error(`it did not answer within ${MAX_POLICY_MS / 1000} s`);
        }));
    } catch (error) {
      const text = `The payment policy failed (${question}), so nothing was begun: ${(error as Error).message}`;
      this.log.error('payment_policy_failed', { ...(walletId !== undefined && { walletId }) }, text, error);
      return POLICY_UNAVAILABLE;
    }
  }
}
