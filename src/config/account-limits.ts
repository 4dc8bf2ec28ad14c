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

export interface AccountLimitsConfig {
  /** Null: accounts have no limits. */
  readonly byLevel: Readonly<Record<LimitedLevel, LevelLimits>> | null;
  /** What bitcoin count as while there is no price to be trusted. */
  readonly centsPerBtc: number;
}

/** The value that stands for no limits. */
const NONE = 'none';
export const DEFAULT_ACCOUNT_LIMITS =
  'ZERO=12500/12500/200000,ONE=100000/200000/5000000,TWO=5000000/5000000/20000000,THREE=10000000/10000000/30000000';
const LIMIT = '(0|[1-9]\\d{0,12})';
/** One limit for each level, in their order. */
export const ACCOUNT_LIMITS_FORM = new RegExp(`^(${NONE}|${LEVELS.map((level) => `${level}=${LIMIT}/${LIMIT}/${LIMIT}`).join(',')})$`);
export const ACCOUNT_LIMITS_RULE =
  'must be none, or ZERO=…,ONE=…,TWO=…,THREE=… with <withdrawal>/<internal send>/<convert> in whole US cents for each, for example ZERO=12500/12500/200000';

/** @param text in that form */
export function accountLimitsOf(text: string, centsPerBtc: number): AccountLimitsConfig {
  if (text === NONE) return { byLevel: null, centsPerBtc };
  const limits = text.split(',').map((each): [string, LevelLimits] => {
    const [level = '', amounts = ''] = each.split('=');
    const [withdrawal = 0, internalSend = 0, convert = 0] = amounts.split('/').map(Number);
    return [level, Object.freeze({ withdrawal, internalSend, convert })];
  });
  return { byLevel: Object.fromEntries(limits) as Record<LimitedLevel, LevelLimits>, centsPerBtc };
}
