import { Injectable } from '@nestjs/common';
import { columns, Database, fragment, mayTakeLong, queryOne, sql, type RowOf } from '../../../platform/database/index.js';
import { Events } from '../../../platform/events/index.js';
import { OperatorActions, type NewOperatorAction, type OperatorActionRow } from '../../../platform/operator-action/index.js';
import { OnChainWallet, type TransactionStatus } from '../../onchain/index.js';
import { PayoutBatchEntity, PayoutEntity, type PayoutState } from '../payout/payout.entity.js';
import { PayoutSender } from '../payout/payout-sender.js';
import type { Recipient } from '../payout/payout-transaction.js';
import { raised } from '../payout/payout-transaction.js';

const PAYOUT = columns(PayoutEntity);
const SHOWN = fragment`${PAYOUT.of('o')}, p.account_id AS "accountId", p.payment_request AS address, p.amount_msat / 1000 AS sats, p.state AS "paymentState",
            (SELECT b.txid FROM payout_batch b WHERE b.id = o.batch_id) AS txid`;
const BATCH = columns(PayoutBatchEntity).only('id', 'state', 'psbt', 'txid', 'height');
const LIST = mayTakeLong(sql`SELECT ${SHOWN} FROM payout o JOIN payment p ON p.id = o.id WHERE ($1::text IS NULL OR o.state = $1)
            AND ($2::uuid IS NULL OR (o.queued_at, o.id) < (SELECT l.queued_at, l.id FROM payout l WHERE l.id = $2))
          ORDER BY o.queued_at DESC, o.id DESC LIMIT $3`);
const FIND = sql`SELECT ${SHOWN} FROM payout o JOIN payment p ON p.id = o.id WHERE o.id = $1`;
const VERSIONS = sql`SELECT txid, fee_sats AS "feeSats", made_at AS "madeAt" FROM payout_transaction WHERE batch_id = $1 ORDER BY made_at`;
const BATCH_OF = sql`SELECT ${BATCH.of('b')}, t.raw, t.fee_sats AS "feeSats" FROM payout o JOIN payout_batch b ON b.id = o.batch_id
            JOIN payout_transaction t ON t.txid = b.txid WHERE o.id = $1`;
const PAID_BY = sql`SELECT p.id, p.payment_request AS address, p.amount_msat / 1000 AS sats, o.vout FROM payout o JOIN payment p ON p.id = o.id WHERE o.batch_id = $1`;
const CANCEL = sql`SELECT payout_cancel($1, $2, $3) AS outcome`;
const REQUEUE = sql`SELECT payout_requeue($1, $2, $3) AS done`;
const BUMP = sql`SELECT payout_bump($1, $2, $3, $4, $5, $6, $7, $8) AS done`;

/** Satoshis a vbyte, as LND's own sweeper (`sweeper.maxfeerate`). An operator who types the whole fee as its rate would pay it a hundredfold. */
export const MAX_BUMP_RATE = 1_000;
/** Change below it would not be relayed, whatever its kind. */
const MIN_CHANGE_SATS = 600n;

type By = Pick<NewOperatorAction, 'who' | 'because'>;

export interface OperatorPayoutRow extends RowOf<typeof PAYOUT> {
  readonly accountId: string;
  /** Null where the account was deleted. */
  readonly address: string | null;
  readonly sats: bigint;
  readonly paymentState: string;
  readonly txid: string | null;
}

export interface PayoutVersion {
  readonly txid: string;
  readonly feeSats: bigint;
  readonly madeAt: Date;
  /** By the wallet, now. */
  readonly status: TransactionStatus['status'];
}

export interface PayoutReport {
  readonly payout: OperatorPayoutRow;
  /** The versions of its transaction. */
  readonly versions: readonly PayoutVersion[];
  readonly actions: readonly OperatorActionRow[];
}

/** `settled`: it was paid once, by a transaction that another one has replaced. */
export type CancelOutcome = 'cancelled' | 'unknown' | 'settled' | Exclude<PayoutState, 'queued' | 'cancelled'>;

/** `known`: the wallet knows a version of its transaction, which can still pay. `not_waiting`: it is in no transaction that has waited for its block for ten minutes. */
export type RequeueOutcome = 'queued' | 'known' | 'not_waiting';

export type BumpOutcome =
  | { readonly kind: 'bumped'; readonly txid: string; readonly feeSats: bigint }
  /** `not_sent`: no transaction of it is on its way. `rate_too_low`: not above that of now. `no_change`: too little comes back that could pay it. */
  | { readonly kind: 'not_sent' | 'no_rate' | 'rate_too_low' | 'rate_too_high' | 'no_change' | 'unavailable' | 'overtaken' };

/** What operators do with payments to bitcoin addresses. */
@Injectable()
export class OperatorPayoutService {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly actions: OperatorActions,
    private readonly wallet: OnChainWallet,
    private readonly sender: PayoutSender,
  ) {}

  list(state: PayoutState | null, after: string | null, limit: number): Promise<OperatorPayoutRow[]> {
    return this.database.query<OperatorPayoutRow>(LIST, [state, after, limit]);
  }

  async find(id: string): Promise<PayoutReport | undefined> {
    const [payout] = await this.database.query<OperatorPayoutRow>(FIND, [id]);
    if (!payout) return undefined;
    const stored = await this.database.query<Omit<PayoutVersion, 'status'>>(VERSIONS, [payout.batchId]);
    const versions = await Promise.all(
      stored.map(async (version) => ({ ...version, status: (await this.wallet.lookup(version.txid)).status })),
    );
    const ofBatch = payout.batchId === null ? [] : await this.actions.list(payout.batchId);
    return { payout, versions, actions: [...(await this.actions.list(id)), ...ofBatch] };
  }

  /** Only what is in no transaction yet: its money is free again. */
  async cancel(id: string, { who, because }: By): Promise<CancelOutcome> {
    const { outcome } = await queryOne<{ outcome: CancelOutcome }>(this.database, CANCEL, [id, who, because]);
    this.events.poll();
    return outcome;
  }

  /** On the operator's word that a coin of its transaction is lost for good, which a node need not know: all whom it pays wait for another one. */
  async requeue(id: string, { who, because }: By): Promise<RequeueOutcome> {
    const { versions = [] } = (await this.find(id)) ?? {};
    if (versions.some(({ status }) => status !== 'not_found')) return 'known';
    const { done } = await queryOne<{ done: boolean }>(this.database, REQUEUE, [id, who, because]);
    this.events.poll();
    return done ? 'queued' : 'not_waiting';
  }

  /** Sends the transaction that pays it again with a higher fee, for all whom it pays. What the fee is beyond their holds, the operator bears. */
  async bump(id: string, satsPerVbyte: number | undefined, { who, because }: By): Promise<BumpOutcome> {
    const [batch] = await this.database.query<RowOf<typeof BATCH> & { raw: string; feeSats: bigint }>(BATCH_OF, [id]);
    if (!batch?.txid || !batch.psbt || batch.height !== null) return { kind: 'not_sent' };
    const market = satsPerVbyte === undefined ? await this.wallet.feeRate(1) : { status: 'known' as const, satsPerVbyte };
    if (market.status !== 'known') return { kind: 'no_rate' };
    if (market.satsPerVbyte > MAX_BUMP_RATE) return { kind: 'rate_too_high' };
    const recipients = await this.database.query<Recipient & { vout: number }>(PAID_BY, [batch.id]);
    const vsize = this.sender.vsizeOf(batch.raw);
    const feeSats = BigInt(Math.ceil(market.satsPerVbyte * vsize));
    // A replacement pays for its own way too, at one satoshi a vbyte (BIP 125).
    if (feeSats < batch.feeSats + BigInt(vsize)) return { kind: 'rate_too_low' };
    const psbt = raised(
      batch.psbt,
      feeSats,
      recipients.map(({ vout }) => vout),
      MIN_CHANGE_SATS,
    );
    if (psbt === undefined) return { kind: 'no_change' };
    const draft = await this.sender.sign(psbt, recipients);
    if (typeof draft === 'string') return { kind: 'unavailable' };
    const values = [batch.id, batch.txid, psbt, draft.raw, draft.txid, draft.feeSats, who, because];
    if (!(await queryOne<{ done: boolean }>(this.database, BUMP, values)).done) return { kind: 'overtaken' };
    this.events.poll();
    await this.sender.publish(batch.id, draft);
    return { kind: 'bumped', txid: draft.txid, feeSats: draft.feeSats };
  }
}
