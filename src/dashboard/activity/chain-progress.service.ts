import { Injectable } from '@nestjs/common';
import { DepositService } from '../../money/onchain/index.js';
import { PayoutProgressService } from '../../money/payment/index.js';
import type { TransactionRow } from '../../money/transaction/index.js';
import type { Activity } from './activity.view.js';

/** How far payments on chain are, in both directions. */
@Injectable()
export class ChainProgressService {
  constructor(
    private readonly deposits: DepositService,
    private readonly payouts: PayoutProgressService,
  ) {}

  async of(rows: readonly TransactionRow[]): Promise<(id: string) => Pick<Activity, 'deposit' | 'payout'>> {
    const [deposits, payouts] = await Promise.all([this.deposits.progressOf(rows), this.payouts.of(rows)]);
    return (id) => ({ deposit: deposits.get(id) ?? null, payout: payouts.get(id) ?? null });
  }
}
