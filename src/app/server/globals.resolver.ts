import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../../edge/auth/index.js';
import { Config } from '../../platform/config/index.js';
import type { BlockInfo, DepositFeesInformation, Globals } from '../../generated/graphql.js';
import type { Implements, Result } from '../../edge/graphql/index.js';
import { DAY_SECONDS } from '../../platform/kernel/clock.js';
import { LightningNode, type NodeInfo } from '../../money/lightning/index.js';
import { OnChainSettings } from '../../money/onchain/index.js';
import { AccountLimitSettings, LEVELS } from '../../money/wallet/index.js';

/** What the node does not decide. */
type Configured = Omit<Globals, 'blockInfo' | 'nodesIds'>;

@Resolver()
export class GlobalsResolver implements Implements<'Query', 'globals'> {
  /** Not before the first call: the address of a demo is known when the server listens. */
  private settled: Configured | undefined;

  constructor(
    private readonly config: Config,
    private readonly lightning: LightningNode,
    private readonly limits: AccountLimitSettings,
    private readonly onChain: OnChainSettings,
  ) {}

  @Query()
  @Public()
  globals(): Result<'Query', 'globals'> {
    return {
      ...(this.settled ??= this.configured()),
      blockInfo: blockOf(this.lightning.latestInfo),
      nodesIds: this.lightning.nodeId === '' ? [] : [this.lightning.nodeId],
    };
  }

  private configured(): Configured {
    const { byLevel } = this.limits;
    return {
      network: this.config.network,
      lightningAddressDomain: new URL(this.config.publicUrl).host,
      lightningAddressDomainAliases: [],
      supportedCountries: [],
      accountLimitsByLevel: byLevel ? LEVELS.map((level) => ({ level, interval: DAY_SECONDS, ...byLevel[level] })) : [],
      feesInformation: { deposit: depositFees(this.onChain) },
      buildInformation: { commitHash: this.config.commit, helmRevision: null },
    };
  }
}

function depositFees({ DEPOSIT_FEE_SATS: fee, DEPOSIT_FEE_FREE_ABOVE: freeAbove }: OnChainSettings): DepositFeesInformation {
  const [amount, maxAmount] = [String(fee), String(freeAbove)];
  return {
    minBankFee: amount,
    minBankFeeThreshold: maxAmount,
    ratio: '0',
    tiers: [
      { amount, maxAmount },
      { amount: '0', maxAmount: null },
    ],
  };
}

/** The answer of the health check: the node is not asked for a caller, who may be anonymous. */
function blockOf(info: NodeInfo): BlockInfo | null {
  if (info.status !== 'ready') return null;
  const { blockHeight = null, blockHash = null } = info;
  return blockHeight === null && blockHash === null ? null : { blockHeight, blockHash };
}
