import { Injectable } from '@nestjs/common';
import { BatchLoader, compositeType, Database, queryOne, sql } from '../../platform/database/index.js';
import { MSAT_PER_BTC, MSAT_PER_SAT } from '../../platform/kernel/money.js';
import type { NewOperatorAction } from '../../platform/operator-action/index.js';
import { AccountLimitSettings, LEVELS, type LevelLimits, type LimitedLevel } from './account-limit.settings.js';
import type { AccountFlow, AccountRow } from './wallet.row.js';

/** What an account has sent in the last 24 hours, without fees: from its wallet in bitcoin, and from that in dollars. */
export interface AccountSpent {
  readonly msat: bigint;
  readonly cents: bigint;
}

/** An amount that counts towards a limit, in whole US cents and in whole satoshis at the price of the moment. */
export interface LimitAmount {
  readonly cents: number;
  readonly sats: number;
}

export interface AccountLimitState {
  readonly flow: AccountFlow;
  /** Satoshis rounded down. */
  readonly limit: LimitAmount;
  readonly spent: LimitAmount;
  /** Rounded down, so that `payment_begin` passes each of the two, and refuses one satoshi or cent more. Nothing where more was sent. */
  readonly left: LimitAmount;
  /** When more becomes free; null: nothing counts, or the limit is less than a satoshi. */
  readonly nextFreeAt: Date | null;
  /** When the latest payment stops counting; null: nothing counts. */
  readonly allFreeAt: Date | null;
}

/** `already`: it has this level. `unknown`: there is no such account. */
export type LevelOutcome = 'changed' | 'already' | 'unknown';

interface AccountLimitRecord {
  readonly level: LimitedLevel;
  readonly flow: AccountFlow;
  readonly cents: number;
}

interface SpentRow {
  readonly accountId: string;
  readonly flow: AccountFlow;
  readonly msat: string;
  readonly cents: string;
}

interface FreeingRow {
  readonly flow: AccountFlow;
  readonly nextAt: Date | null;
  readonly allAt: Date;
}

const NAMES: Readonly<Record<AccountFlow, keyof LevelLimits>> = {
  withdrawal: 'withdrawal',
  internal_send: 'internalSend',
  convert: 'convert',
};
const FLOWS = Object.keys(NAMES) as readonly AccountFlow[];
const NOTHING: AccountSpent = { msat: 0n, cents: 0n };
const LIST = sql`SELECT account_id AS "accountId", flow, msat::text, cents::text FROM account_spending_list($1::uuid[])`;
const ACCOUNT_LIMIT = compositeType('account_limit', 'level', 'flow', 'cents');
const FREEING = sql`SELECT flow, next_at AS "nextAt", all_at AS "allAt" FROM account_freeing($1, $2::account_limit[], $3)`;
const SET_LEVEL = sql`SELECT account_set_level($1, $2, $3, $4) AS outcome`;

/** What accounts may send in any 24 hours, by their level: `payment_begin` checks it in the statement that holds or moves the money. */
@Injectable()
export class AccountLimitsService {
  private readonly spent: BatchLoader<ReadonlyMap<AccountFlow, AccountSpent>>;
  private readonly limits: readonly AccountLimitRecord[] | null;
  /** The limits of all levels as `payment_begin` takes them; null: accounts have none. */
  readonly records: readonly string[] | null;

  constructor(
    private readonly database: Database,
    private readonly settings: AccountLimitSettings,
  ) {
    this.spent = new BatchLoader((accountIds) => this.spentOf(accountIds));
    const { byLevel } = settings;
    this.limits = byLevel && LEVELS.flatMap((level) => FLOWS.map((flow) => ({ level, flow, cents: byLevel[level][NAMES[flow]] })));
    this.records = this.limits && ACCOUNT_LIMIT.records(this.limits);
  }

  /** Cents for one bitcoin, at which limits count bitcoin. @param centsPerBtc the price of now; without one to be trusted, the operator's counts */
  priceAt(centsPerBtc: bigint | null): bigint {
    return centsPerBtc ?? BigInt(this.settings.ACCOUNT_LIMITS_CENTS_PER_BTC);
  }

  limitOf(level: LimitedLevel, flow: AccountFlow): number | null {
    return this.limits?.find((limit) => limit.level === level && limit.flow === flow)?.cents ?? null;
  }

  /** What is left of a limit at a price, in whole US cents; 0 where more was sent. */
  async remainingCents(accountId: string, flow: AccountFlow, limitCents: number, centsPerBtc: bigint): Promise<number> {
    return amountsOf(limitCents, (await this.spent.load(accountId)).get(flow) ?? NOTHING, centsPerBtc).left.cents;
  }

  /** Whether the account would exceed a limit by sending so much more at a price: the arithmetic of `payment_begin`, which rounds nothing. */
  async exceeds(
    { id, level }: Pick<AccountRow, 'id' | 'level'>,
    flow: AccountFlow,
    more: AccountSpent,
    centsPerBtc: bigint,
  ): Promise<boolean> {
    const limitCents = this.limitOf(level, flow);
    if (limitCents === null) return false;
    const spent = (await this.spent.load(id)).get(flow) ?? NOTHING;
    return leftOf(limitCents, spent, centsPerBtc) < worthOf(more, centsPerBtc);
  }

  /** The limits of an account with what is left of them at a price; none where the operator sets none. It reads the history of a day. */
  async list({ id, level }: Pick<AccountRow, 'id' | 'level'>, centsPerBtc: bigint): Promise<AccountLimitState[]> {
    const limits = this.limits?.filter((limit) => limit.level === level) ?? [];
    if (limits.length === 0) return [];
    const [spent, freeing] = await Promise.all([
      this.spent.load(id),
      this.database.query<FreeingRow>(FREEING, [id, ACCOUNT_LIMIT.records(limits), centsPerBtc]),
    ]);
    return limits.map(({ flow, cents }) => {
      const { nextAt = null, allAt = null } = freeing.find((each) => each.flow === flow) ?? {};
      return { flow, ...amountsOf(cents, spent.get(flow) ?? NOTHING, centsPerBtc), nextFreeAt: nextAt, allFreeAt: allAt };
    });
  }

  /** Binds from the next payment on, and records who and why in the same statement. */
  async setLevel(
    accountId: string,
    level: LimitedLevel,
    { who, because }: Pick<NewOperatorAction, 'who' | 'because'>,
  ): Promise<LevelOutcome> {
    return (await queryOne<{ outcome: LevelOutcome }>(this.database, SET_LEVEL, [accountId, level, who, because])).outcome;
  }

  private async spentOf(accountIds: readonly string[]): Promise<ReadonlyMap<AccountFlow, AccountSpent>[]> {
    const rows = await this.database.query<SpentRow>(LIST, [accountIds]);
    const byAccount = new Map(accountIds.map((id) => [id, new Map<AccountFlow, AccountSpent>()]));
    for (const { accountId, flow, msat, cents } of rows) byAccount.get(accountId)?.set(flow, { msat: BigInt(msat), cents: BigInt(cents) });
    return accountIds.map((id) => byAccount.get(id) ?? new Map<AccountFlow, AccountSpent>());
  }
}

function amountsOf(limitCents: number, spent: AccountSpent, centsPerBtc: bigint): Pick<AccountLimitState, 'limit' | 'spent' | 'left'> {
  const left = leftOf(limitCents, spent, centsPerBtc);
  return {
    limit: amountOf(leftOf(limitCents, NOTHING, centsPerBtc), centsPerBtc, roundedDown),
    spent: amountOf(worthOf(spent, centsPerBtc), centsPerBtc, roundedUp),
    left: amountOf(left > 0n ? left : 0n, centsPerBtc, roundedDown),
  };
}

/** Exact: `MSAT_PER_BTC` of it are a cent, and the price for one bitcoin a millisatoshi. */
const worthOf = ({ msat, cents }: AccountSpent, centsPerBtc: bigint): bigint => cents * MSAT_PER_BTC + msat * centsPerBtc;
const leftOf = (limitCents: number, spent: AccountSpent, centsPerBtc: bigint): bigint =>
  BigInt(limitCents) * MSAT_PER_BTC - worthOf(spent, centsPerBtc);

const roundedDown = (worth: bigint, unit: bigint): bigint => worth / unit;
const roundedUp = (worth: bigint, unit: bigint): bigint => (worth + unit - 1n) / unit;
const amountOf = (worth: bigint, centsPerBtc: bigint, whole: typeof roundedDown): LimitAmount => ({
  cents: Number(whole(worth, MSAT_PER_BTC)),
  sats: Number(whole(worth, centsPerBtc * MSAT_PER_SAT)),
});
