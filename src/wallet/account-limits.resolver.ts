import { ResolveField, Resolver } from '@nestjs/graphql';
import { InvalidInput, type Implements, type Result } from '../graphql/index.js';
import { PriceService, UNAVAILABLE } from '../price/index.js';
import { AccountLimitsService } from './account-limits.service.js';
import type { AccountFlow } from './account-flow.js';
import type { AccountLimitRow, AccountRow } from './wallet.row.js';

const DAY_SECONDS = 86_400;

@Resolver('ConsumerAccount')
export class AccountLimitsResolver implements Implements<'ConsumerAccount', 'limits'> {
  constructor(private readonly limitsOfAccounts: AccountLimitsService) {}

  @ResolveField()
  limits({ id: accountId, level }: AccountRow): Result<'ConsumerAccount', 'limits'> {
    const of = (flow: AccountFlow): AccountLimitRow[] => {
      const totalLimit = this.limitsOfAccounts.limitOf(level, flow);
      return totalLimit === null ? [] : [{ __typename: 'OneDayAccountLimit', interval: DAY_SECONDS, totalLimit, accountId, flow }];
    };
    return { withdrawal: of('withdrawal'), internalSend: of('internal_send'), convert: of('convert') };
  }
}

@Resolver('OneDayAccountLimit')
export class AccountLimitResolver implements Implements<'OneDayAccountLimit', 'remainingLimit'> {
  constructor(
    private readonly limits: AccountLimitsService,
    private readonly prices: PriceService,
  ) {}

  @ResolveField()
  async remainingLimit({ accountId, flow, totalLimit }: AccountLimitRow): Promise<number> {
    const { centsPerBtc } = this.prices;
    if (centsPerBtc === null) throw new InvalidInput([UNAVAILABLE]);
    return this.limits.remainingCents(accountId, flow, totalLimit, centsPerBtc);
  }
}
