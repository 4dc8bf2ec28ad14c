import { Injectable } from '@nestjs/common';
import { OnChainWallet, type TransactionPage, type WalletBalance } from '../../money/onchain/index.js';
import { Database, queryOne, sql } from '../../platform/database/index.js';

/**
 * `arriving`: the wallet has them, and no customer yet. `gone`: customers have them, and a reorganisation took them. `leaving`: sent with
 * their fees, and in no block.
 */
const POSITION = sql`SELECT
    (SELECT -posted / 1000 FROM ledger_account WHERE id = ledger_system_account('onchain')) AS "ledgerSats",
    (SELECT coalesce(sum(sats), 0)::int8 FROM deposit WHERE state = 'pending' AND gone_at IS NULL) AS "arrivingSats",
    (SELECT coalesce(sum(sats), 0)::int8 FROM deposit WHERE state NOT IN ('pending', 'failed') AND gone_at IS NOT NULL) AS "goneSats",
    (SELECT coalesce(sum(t.fee_sats + o.sats), 0)::int8 FROM payout_batch b JOIN payout_transaction t ON t.txid = b.txid
       CROSS JOIN LATERAL (SELECT sum(p.amount_msat)::int8 / 1000 AS sats FROM payout o JOIN payment p ON p.id = o.id
         WHERE o.batch_id = b.id AND p.state = 'in_flight') AS o
      WHERE b.state = 'broadcast' AND o.sats IS NOT NULL) AS "leavingSats"`;

interface OnChainPosition {
  readonly ledgerSats: bigint;
  readonly arrivingSats: bigint;
  readonly goneSats: bigint;
  readonly leavingSats: bigint;
}

export interface OnChainReport extends OnChainPosition {
  readonly wallet: WalletBalance;
  /** The wallet has this beyond what the ledger expects: the operator's own coins. Null: the balance is not known. */
  readonly differenceSats: bigint | null;
}

@Injectable()
export class OnChainReportService {
  constructor(
    private readonly database: Database,
    private readonly wallet: OnChainWallet,
  ) {}

  /** The transactions of payouts that the wallet has. All of them: the scan for deposits may have passed the state of a copy before it is compared. */
  async sentTxids(): Promise<readonly string[] | 'unknown'> {
    if (!this.wallet.isPresent) return [];
    const txids: string[] = [];
    for (let cursor: number | null = 0; cursor !== null;) {
      const page: TransactionPage = await this.wallet.transactions(0, cursor);
      if (page.status !== 'known') return 'unknown';
      txids.push(...page.transactions.filter(({ label }) => label.startsWith('payout ')).map(({ txid }) => txid));
      cursor = page.next;
    }
    return txids;
  }

  /** Null without an on-chain wallet. */
  async report(): Promise<OnChainReport | null> {
    if (!this.wallet.isPresent) return null;
    const wallet = await this.wallet.balance();
    const position = await queryOne<OnChainPosition>(this.database, POSITION);
    const expected = position.ledgerSats + position.arrivingSats - position.goneSats - position.leavingSats;
    const differenceSats = wallet.status === 'known' ? wallet.confirmedSats + wallet.unconfirmedSats - expected : null;
    return { ...position, wallet, differenceSats };
  }
}
