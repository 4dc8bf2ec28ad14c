import { IsOptional, Matches } from 'class-validator';
import { int, Setting, tiers, tiersOf, yesNo, type Tiers } from '../../platform/config/index.js';

const MAX_SATS = 100_000_000_000_000;

export class OnChainSettings {
  static readonly title = 'On-chain';

  @Setting('`0`: no on-chain addresses and payments, also where the node has an on-chain wallet')
  @yesNo()
  ONCHAIN = true;

  @Setting(
    'confirmations that a deposit needs, by what its transaction brings: `<up to satoshis>:<confirmations>,…` and the confirmations above all of them',
  )
  @tiers(1)
  ONCHAIN_CONFIRMATIONS_TIERS = '1000000:2,10000000:3,6';

  @Setting('satoshis that a deposit costs. Smaller ones to one address wait until they are more together …')
  @int(0, 100_000_000)
  DEPOSIT_FEE_SATS = 2_500;

  @Setting('… and a deposit of more satoshis than this costs nothing')
  @int(0, MAX_SATS)
  DEPOSIT_FEE_FREE_ABOVE = 1_000_000;

  @Setting('the page of a transaction in a block explorer, `https://…/tx/{txid}`: pages link there')
  @IsOptional()
  @Matches(/^https?:\/\/[^\s{}]+\{txid\}[^\s{}]*$/, { message: '$property must be a URL with {txid} in it, such as https://…/tx/{txid}' })
  BLOCK_EXPLORER_URL?: string;

  /** How long after a scan of the chain the next one begins. */
  scanMs = 2_000;

  get confirmations(): Tiers {
    return tiersOf(this.ONCHAIN_CONFIRMATIONS_TIERS);
  }

  /** That a deposit needs, by the satoshis that its transaction brings. */
  confirmationsOf(sats: bigint): number {
    const { bounds, values } = this.confirmations;
    return values[bounds.filter((bound) => sats > bound).length] ?? NaN;
  }

  /** In satoshis. */
  depositFeeOf(sats: bigint): number {
    return sats > this.DEPOSIT_FEE_FREE_ABOVE ? 0 : this.DEPOSIT_FEE_SATS;
  }

  explorerUrlOf(txid: string): string | null {
    return this.BLOCK_EXPLORER_URL?.replace('{txid}', txid) ?? null;
  }
}
