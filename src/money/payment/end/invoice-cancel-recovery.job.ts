import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../../platform/database/index.js';
import { Jobs } from '../../../platform/job/index.js';
import { LightningNode } from '../../lightning/index.js';
import { InvoiceCancelJob } from './invoice-cancel.job.js';

const TASK = 'invoice_cancel_recovery';
const EVERY_SECONDS = 86_400;
const AGAIN_SECONDS = 10;
const LIMIT_SECONDS = 600;
const AT_ONCE = 8;
/**
 * What a process that died can have left is among the last things that were booked before: it asks the node within seconds after the
 * payment. The minutes are for the time in which other processes went on before this one took its place.
 */
const MINUTES = 10;
const MAX_JOURNALS = 10_000;

interface Copy {
  readonly paymentHash: string;
  readonly paymentRequest: string;
  readonly expiresAt: Date;
}

/** The statement reads the latest journals, their payments and their invoices by primary keys. */
const PAID_LATELY = sql`
  SELECT i.payment_hash AS "paymentHash", i.payment_request AS "paymentRequest", i.expires_at AS "expiresAt"
    FROM (SELECT idem, created_at, max(created_at) OVER () AS latest FROM ledger_journal ORDER BY id DESC LIMIT ${MAX_JOURNALS}) AS j
    JOIN payment p ON p.id = j.idem AND p.kind = 'internal'
    JOIN invoice i ON i.payment_hash = p.payment_hash AND i.settled_via = 'internal' AND i.node_id = $1 AND i.expires_at > now()
   WHERE j.created_at > j.latest - make_interval(mins => ${MINUTES})`;

/**
 * Cancels the node's copies of the invoices that were paid internally last, whenever a process starts: the one before may have died between
 * such a payment and the node's answer. The payment itself stores no mark for that, because every payment would pay for it.
 */
@Injectable()
export class InvoiceCancelRecoveryJob {
  constructor(
    private readonly database: Database,
    private readonly lightning: LightningNode,
    private readonly cancels: InvoiceCancelJob,
    jobs: Jobs,
  ) {
    const schedule = { everySeconds: EVERY_SECONDS, atStart: true };
    jobs.schedule(TASK, schedule, ({ signal }) => this.recover(signal), { limitSeconds: LIMIT_SECONDS });
  }

  /** @returns how soon to run again, while the node does not answer */
  private async recover(signal: AbortSignal): Promise<number | void> {
    if ((await this.lightning.info()).status !== 'ready') return AGAIN_SECONDS;
    const { nodeId } = this.lightning;
    const copies = await this.database.query<Copy>(PAID_LATELY, [nodeId]);
    const work = async (): Promise<void> => {
      for (let copy = copies.pop(); copy && !signal.aborted; copy = copies.pop()) {
        const { paymentHash, paymentRequest, expiresAt } = copy;
        await this.cancels.cancel({ paymentHash, payeeNodeId: nodeId, expiresAt: expiresAt.getTime() }, paymentRequest);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    signal.throwIfAborted();
  }
}
