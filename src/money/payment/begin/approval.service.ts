import { Injectable } from '@nestjs/common';
import type { Principal } from '../../../edge/auth/index.js';
import { Jobs, type JobRun } from '../../../platform/job/index.js';
import { Clock } from '../../../platform/kernel/clock.js';
import { isUuid } from '../../../platform/kernel/uuid.js';
import { ApprovalStore } from '../approval.store.js';
import type { PaymentApprovalEntity } from '../payment-approval.entity.js';
import type { PaymentStart, SendFailure } from '../payment.outcome.js';
import type { AskedOrder } from '../rails/order.js';
import { PaymentService } from './payment.service.js';

const SWEEP_EVERY_SECONDS = 15;
/** The job's pauses are 3, 7 and 20 seconds. */
const MAX_ATTEMPTS = 4;
/** A payment that the database could not begin for this long is not what its owner expects any more. */
const MAX_AGE_MS = 3_600_000;
const PASSING: ReadonlySet<SendFailure> = new Set(['busy', 'not_begun', 'being_paid', 'sends_stopped', 'onchain_unavailable']);

/**
 * The answers of owners to payments that keys and apps have asked them for. One that is approved is begun by a job, which the same statement
 * adds: by the pipeline of all payments, which judges it again, and under the id of what was approved, so it is made once.
 */
@Injectable()
export class ApprovalService {
  constructor(
    private readonly store: ApprovalStore,
    private readonly payments: PaymentService,
    private readonly clock: Clock,
    jobs: Jobs,
  ) {
    jobs.task<string>('payment_approved', (id, run) => this.begin(id, run));
    jobs.schedule('payment_approval_sweep', { everySeconds: SWEEP_EVERY_SECONDS, atStart: true }, () => this.store.sweep());
  }

  /** What this person is, or was, asked for. */
  async find(userId: string, id: string): Promise<PaymentApprovalEntity | undefined> {
    const approval = isUuid(id) ? await this.store.find(id) : undefined;
    return approval?.userId === userId ? approval : undefined;
  }

  /** @returns true if it is approved, now or before; false if it has ended otherwise, or this person has not been asked for it */
  async approve(userId: string, id: string): Promise<boolean> {
    const isApproved = isUuid(id) && (await this.store.approve(userId, id));
    if (!isApproved) await this.store.sweep();
    return isApproved;
  }

  async deny(userId: string, id: string): Promise<void> {
    if (await this.find(userId, id)) await this.store.end(id, 'waiting', 'denied');
  }

  /** Runs again, in any process, until the payment has begun or is refused. */
  private async begin(id: string, { attempt }: JobRun): Promise<void> {
    const approval = await this.store.find(id);
    if (approval?.state !== 'approved') return;
    const { order, memo } = approval.paymentOrder as AskedOrder;
    const start = await this.payments.begin({ ...payerOf(approval), memo }, order);
    // The history has the end.
    if (start.kind === 'begun') void start.end.catch(() => undefined);
    const failure = failureOf(start);
    if (failure !== null && PASSING.has(failure) && attempt < MAX_ATTEMPTS)
      throw new Error(`The payment ${id} could not begin: ${failure}`);
    if (await this.store.end(id, 'approved', failure)) return;
    const isOld = this.clock.now() - (approval.approvedAt?.getTime() ?? 0) > MAX_AGE_MS;
    if (!isOld) throw new Error(`The payment ${id} is approved, and the database has not confirmed that it has begun`);
    await this.store.end(id, 'approved', 'not_begun');
  }
}

/** Null: it has begun, or may have. */
function failureOf(start: PaymentStart): SendFailure | null {
  if (start.kind === 'refused' || start.kind === 'failed') return start.reason;
  if (start.kind === 'vetoed') return 'refused';
  return start.kind === 'already_paid' ? 'paid_by_other' : null;
}

const payerOf = ({ userId, walletId, ...approval }: PaymentApprovalEntity) => ({
  userId,
  walletId,
  principal: principalOf(userId, approval),
  approved: approval,
});

function principalOf(
  userId: string,
  {
    principalKind: kind,
    principalId: id,
    clientId,
    scopes,
  }: Pick<PaymentApprovalEntity, 'principalKind' | 'principalId' | 'clientId' | 'scopes'>,
): Principal {
  const app = kind === 'api-key' ? 'createdBy' : 'clientId';
  return { kind, id, userId, scopes: new Set(scopes), ...(clientId !== null && { [app]: clientId }) };
}
