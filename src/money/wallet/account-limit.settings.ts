import { Matches } from 'class-validator';
import { int, Setting } from '../../platform/config/index.js';

/** How far the operator has verified an account, the lowest first. */
export const LEVELS = ['ZERO', 'ONE', 'TWO', 'THREE'] as const;
export type LimitedLevel = (typeof LEVELS)[number];

/** The most that an account may send in any 24 hours, in US cents without fees. */
export interface LevelLimits {
  /** Paid by the Lightning node. */
  readonly withdrawal: number;
  /** To wallets of other accounts of this server. */
  readonly internalSend: number;
  /** Between the two wallets of the account. */
  readonly convert: number;
}

type LimitsByLevel = Readonly<Record<LimitedLevel, LevelLimits>>;

const NONE = 'none';
const DEFAULT_ACCOUNT_LIMITS =
  'ZERO=12500/12500/200000,ONE=100000/200000/5000000,TWO=5000000/5000000/20000000,THREE=10000000/10000000/30000000';
const LIMIT = '(0|[1-9]\\d{0,12})';
const ACCOUNT_LIMITS_FORM = new RegExp(`^(${NONE}|${LEVELS.map((level) => `${level}=${LIMIT}/${LIMIT}/${LIMIT}`).join(',')})$`);
const ACCOUNT_LIMITS_RULE =
  'must be none, or ZERO=…,ONE=…,TWO=…,THREE=… with <withdrawal>/<internal send>/<convert> in whole US cents for each, for example ZERO=12500/12500/200000';

function limitsOf(text: string): LimitsByLevel | null {
  if (text === NONE) return null;
  const limits = text.split(',').map((each): [string, LevelLimits] => {
    const [level = '', amounts = ''] = each.split('=');
    const [withdrawal = 0, internalSend = 0, convert = 0] = amounts.split('/').map(Number);
    return [level, Object.freeze({ withdrawal, internalSend, convert })];
  });
  return Object.fromEntries(limits) as LimitsByLevel;
}

export class AccountLimitSettings {
  static readonly title = 'Limits of accounts';

  @Setting(
    'the most that an account may send in any 24 hours, by its level, as `<withdrawal>/<internal send>/<convert>` in whole US cents without fees: paid by the node, to other accounts of this server, and between the wallets of the account; `none`: no limits. See [Limits of accounts](../operating-money.md#limits-of-accounts)',
  )
  @Matches(ACCOUNT_LIMITS_FORM, { message: `$property ${ACCOUNT_LIMITS_RULE}` })
  ACCOUNT_LIMITS = DEFAULT_ACCOUNT_LIMITS;

  @Setting('US cents a bitcoin, at which these limits count bitcoin while there is no price to be trusted')
  @int(1, 100_000_000_000)
  ACCOUNT_LIMITS_CENTS_PER_BTC = 10_000_000;

  get byLevel(): LimitsByLevel | null {
    return limitsOf(this.ACCOUNT_LIMITS);
  }
}
