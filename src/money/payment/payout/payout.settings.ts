import { Setting, tiers, tiersOf } from '../../../platform/config/index.js';

export const PAYOUT_SPEEDS = ['FAST', 'MEDIUM', 'SLOW'] as const;
export type PayoutSpeed = (typeof PAYOUT_SPEEDS)[number];

/** What a speed promises. `targetBlocks`: in one of that number of blocks. A batch leaves `afterSeconds` after its first payment, or with `outputs`. */
interface SpeedTerms {
  readonly targetBlocks: number;
  readonly afterSeconds: number;
  readonly outputs: number;
}

export class PayoutSettings {
  static readonly title = 'Payments to bitcoin addresses';

  @Setting(
    'service fee in sats, by the amount, beside the miner’s fee: `1000000:5000,10000` is 5,000 up to an amount of 1,000,000 sats, and 10,000 above',
  )
  @tiers(0)
  PAYOUT_FEE_TIERS = '1000000:5000,10000';

  /** FAST leaves at once, and then at most as often. */
  speeds: Readonly<Record<PayoutSpeed, SpeedTerms>> = {
    FAST: { targetBlocks: 1, afterSeconds: 120, outputs: 1 },
    MEDIUM: { targetBlocks: 6, afterSeconds: 900, outputs: 100 },
    SLOW: { targetBlocks: 144, afterSeconds: 3_600, outputs: 20 },
  };

  /** What is held for the miner beyond the rate of the moment: the batch leaves later, and may need more inputs. What is not needed returns. */
  marginPercent = 25;

  maxOutputs = 100;

  roundMs = 2_000;

  /** How long a speed pauses after a batch that could not be made. */
  retrySeconds = 30;

  /** A batch that is not signed after this was left by a process that died. */
  openSeconds = 120;

  leaseSeconds = 3_600;

  /** How often transactions are looked up where no block was found. */
  lookSeconds = 30;

  /** That number of confirmations proves that a transaction that spends our inputs stays. */
  replacedConfirmations = 6;

  /** From then on a transaction is not looked up any more. */
  finalConfirmations = 12;

  serviceFeeOf(sats: bigint): bigint {
    const { bounds, values } = tiersOf(this.PAYOUT_FEE_TIERS);
    const tier = bounds.findIndex((bound) => sats <= BigInt(bound));
    return BigInt(values.at(tier) ?? 0);
  }
}
