import { Query, Resolver } from '@nestjs/graphql';
import { Public } from '../auth/index.js';
import { Config, LEVELS } from '../config/index.js';
import type { Implements, Result } from '../graphql/index.js';
import { LightningBackend } from '../lightning/index.js';

const DAY_SECONDS = 86_400;

/** Values that are the same for every caller. */
@Resolver()
export class GlobalsResolver implements Implements<'Query', 'globals'> {
  constructor(
    private readonly config: Config,
    private readonly lightning: LightningBackend,
  ) {}

  @Query()
  @Public()
  globals(): Result<'Query', 'globals'> {
    const { byLevel } = this.config.accountLimits;
    return {
      network: this.config.network,
      nodesIds: this.lightning.nodeId === '' ? [] : [this.lightning.nodeId],
      lightningAddressDomain: new URL(this.config.publicUrl).host,
      lightningAddressDomainAliases: [],
      accountLimitsByLevel: byLevel ? LEVELS.map((level) => ({ level, interval: DAY_SECONDS, ...byLevel[level] })) : [],
      buildInformation: { commitHash: this.config.commit, helmRevision: null },
    };
  }
}
