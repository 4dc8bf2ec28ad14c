import { Injectable } from '@nestjs/common';
import { BatchLoader, columns, Database, sql, type RowOf } from '../database/index.js';
import { msatOfSats, satsOfMsat } from '../kernel/money.js';
import { BudgetEntity } from './budget.entity.js';

/** 24 hours, 7, 30 and 365 days. */
export const BUDGET_WINDOWS = ['daily', 'weekly', 'monthly', 'annual'] as const;
export type BudgetWindow = (typeof BUDGET_WINDOWS)[number];

/** A principal that has a budget, and the person whose money it spends. */
export interface BudgetOwner {
  readonly id: string;
  readonly userId: string;
}

/** One window of a budget, in satoshis. */
export interface BudgetState {
  /** Null: no limit. */
  readonly limitSats: number | null;
  readonly spentSats: number;
}

/** A budget now: each window has a limit of its own, and a payment must be within all of them. */
export type Budget = Readonly<Record<BudgetWindow, BudgetState>>;

/** The limit of each window, in satoshis; null: none. */
export type BudgetLimits = Readonly<Record<BudgetWindow, number | null>>;

/** What a person changes in limits that they have seen: null removes, a window that is absent keeps its limit. */
export interface LimitsChange {
  readonly seen: BudgetLimits;
  readonly wanted: Partial<BudgetLimits>;
}

/** `stale`: other limits apply than the person has seen, and none is changed. */
export type LimitsVerdict = 'saved' | 'stale';

type BudgetRow = Readonly<Record<`${BudgetWindow}Limit`, bigint | null> & Record<`${BudgetWindow}Spent`, bigint>>;

const LIMITS = columns(BudgetEntity);
const SET = sql`SELECT budget_set($1, $2, $3, $4)`;
const REPLACE = sql`SELECT budget_replace($1, $2, $3, $4) AS verdict`;
const LIST = sql`SELECT daily_limit_msat AS "dailyLimit", weekly_limit_msat AS "weeklyLimit", monthly_limit_msat AS "monthlyLimit", annual_limit_msat AS "annualLimit",
                daily_spent_msat AS "dailySpent", weekly_spent_msat AS "weeklySpent", monthly_spent_msat AS "monthlySpent", annual_spent_msat AS "annualSpent"
           FROM budget_list($1::text[])`;
const LIST_LIMITS = sql`SELECT ${LIMITS.of('b')} FROM budget b WHERE b.id = ANY ($1)`;

/** Budgets of principals, by their ids: `payment_begin` checks them in the statement that holds or moves the money. */
@Injectable()
export class BudgetService {
  private readonly budgets: BatchLoader<Budget>;

  constructor(private readonly database: Database) {
    this.budgets = new BatchLoader(async (ids) => (await this.database.query<BudgetRow>(LIST, [ids])).map(budgetOf));
  }

  /** Limits what the principal may spend in one window, from the next payment on; what it has spent before counts. */
  async setLimit({ id, userId }: BudgetOwner, window: BudgetWindow, limitSats: number): Promise<void> {
    await this.database.query(SET, [id, userId, window, msatOfSats(limitSats)]);
  }

  /** The other windows keep their limits. Idempotent. */
  async removeLimit({ id, userId }: BudgetOwner, window: BudgetWindow): Promise<void> {
    await this.database.query(SET, [id, userId, window, null]);
  }

  /** Sets and removes limits, all or none, in one statement: of two forms that show the same limits and are sent at once, one is stale. */
  async replace({ id, userId }: BudgetOwner, change: LimitsChange): Promise<LimitsVerdict> {
    const { seen, limits } = replacementOf(change);
    const [row] = await this.database.query<{ readonly verdict: LimitsVerdict }>(REPLACE, [id, userId, seen, limits]);
    if (!row) throw new Error('Unreachable: a function returned no row');
    return row.verdict;
  }

  /** The limits of those of these principals that have one. It reads no payment, so it suits a list. */
  async limitsOf(ids: readonly string[]): Promise<ReadonlyMap<string, BudgetLimits>> {
    const rows = await this.database.query<RowOf<typeof LIMITS>>(LIST_LIMITS, [ids]);
    return new Map(rows.map((row) => [row.id, limitsIn(row)]));
  }

  /** The limits of a principal and what it has spent, also without a limit. */
  load(id: string): Promise<Budget> {
    return this.budgets.load(id);
  }
}

type LimitsMsat = readonly (bigint | null)[];
const msatOfLimits = (limits: BudgetLimits): LimitsMsat =>
  BUDGET_WINDOWS.map((window) => {
    const limitSats = limits[window];
    return limitSats === null ? null : msatOfSats(limitSats);
  });

/** The last two arguments of `budget_replace`, for a statement that does more than change limits. */
export const replacementOf = ({ seen, wanted }: LimitsChange): { readonly seen: LimitsMsat; readonly limits: LimitsMsat } => ({
  seen: msatOfLimits(seen),
  limits: msatOfLimits({ ...seen, ...wanted }),
});

const satsOfLimit = (limitMsat: bigint | null): number | null => (limitMsat === null ? null : satsOfMsat(limitMsat));

const limitsIn = (row: RowOf<typeof LIMITS>): BudgetLimits => ({
  daily: satsOfLimit(row.dailyMsat),
  weekly: satsOfLimit(row.weeklyMsat),
  monthly: satsOfLimit(row.monthlyMsat),
  annual: satsOfLimit(row.annualMsat),
});

const stateOf = (limitMsat: bigint | null, spentMsat: bigint): BudgetState => ({
  limitSats: satsOfLimit(limitMsat),
  spentSats: satsOfMsat(spentMsat),
});

const budgetOf = (row: BudgetRow): Budget => ({
  daily: stateOf(row.dailyLimit, row.dailySpent),
  weekly: stateOf(row.weeklyLimit, row.weeklySpent),
  monthly: stateOf(row.monthlyLimit, row.monthlySpent),
  annual: stateOf(row.annualLimit, row.annualSpent),
});
