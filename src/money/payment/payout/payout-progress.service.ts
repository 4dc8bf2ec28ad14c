import { Injectable } from '@nestjs/common';
import { Database, sql } from '../../../platform/database/index.js';
import type { TransactionRow } from '../../transaction/index.js';
import type { PayoutState } from './payout.entity.js';
import type { PayoutSpeed } from './payout.settings.js';

/** How far a payment to a bitcoin address is. */
export interface PayoutProgress {
  readonly state: PayoutState;
  readonly speed: PayoutSpeed;
  /** Of its block; 0 without one. */
  readonly confirmations: number;
}

const PROGRESS = sql`SELECT o.id, o.state, o.speed,
           CASE WHEN b.height IS NULL THEN 0 ELSE greatest(1, (SELECT c.height FROM onchain_cursor c) - b.height + 1) END AS confirmations
          FROM payout o LEFT JOIN payout_batch b ON b.id = o.batch_id WHERE o.id = ANY ($1::uuid[])`;

@Injectable()
export class PayoutProgressService {
  constructor(private readonly database: Database) {}

  /** By the ids of the rows; none for a row of another payment. */
  async of(rows: readonly TransactionRow[]): Promise<Map<string, PayoutProgress>> {
    const ids = rows.filter(({ direction, settlement }) => direction === 'SEND' && settlement === 'onchain').map(({ id }) => id);
    if (ids.length === 0) return new Map();
    const found = await this.database.query<PayoutProgress & { readonly id: string }>(PROGRESS, [ids]);
    return new Map(found.map(({ id, ...progress }) => [id, progress]));
  }
}
