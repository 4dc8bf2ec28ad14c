import { Injectable } from '@nestjs/common';
import { BatchLoader, Database, sql } from '../database/index.js';
import { msatOfSats, satsOfMsat } from '../kernel/money.js';

/** 24 hours, 7, 30 and 365 days. */
export type BudgetWindow = 'daily' | 'weekly' | 'monthly' | 'annual';

/** One window of a budget, in satoshis. */
export interface BudgetState {
  /** Null: no limit. */
  readonly limitSats: number | null;
  readonly spentSats: number;
}

/** A budget now: each window has a limit of its own, and a payment must be within all of them. */
export type Budget = Readonly<Record<BudgetWindow, BudgetState>>;

type BudgetRow = Readonly<Record<`${BudgetWindow}Limit`, bigint | null> & Record<`${BudgetWindow}Spent`, bigint>>;

const SET = sql`SELECT budget_set($1, $2, $3)`;
const LIST = sql`SELECT daily_limit_msat AS "dailyLimit", weekly_limit_msat AS "weeklyLimit", monthly_limit_msat AS "monthlyLimit", annual_limit_msat AS "annualLimit",
                daily_spent_msat AS "dailySpent", weekly_spent_msat AS "weeklySpent", monthly_spent_msat AS "monthlySpent", annual_spent_msat AS "annualSpent"
           FROM budget_list($1::text[])`;

/** Budgets of principals, by their ids: `payment_begin` checks them in the statement that holds or moves the money. */
@Injectable()
export class BudgetService {
  private readonly budgets: BatchLoader<Budget>;

  constructor(private readonly database: Database) {
    this.budgets = new BatchLoader(async (ids) => (await this.database.query<BudgetRow>(LIST, [ids])).map(budgetOf));
  }

  /** Limits what the principal may spend in one window, from the next payment on; what it has spent before counts. */
  async setLimit(id: string, window: BudgetWindow, limitSats: number): Promise<void> {
    await this.database.query(SET, [id, window, msatOfSats(limitSats)]);
  }

  /** The other windows keep their limits. Idempotent. */
  async removeLimit(id: string, window: BudgetWindow): Promise<void> {
    await this.database.query(SET, [id, window, null]);
  }

  /** The limits of a principal and what it has spent, also without a limit. */
  load(id: string): Promise<Budget> {
    return this.budgets.load(id);
  }
}

const stateOf = (limitMsat: bigint | null, spentMsat: bigint): BudgetState => ({
  limitSats: limitMsat === null ? null : satsOfMsat(limitMsat),
  spentSats: satsOfMsat(spentMsat),
});

const budgetOf = (row: BudgetRow): Budget => ({
  daily: stateOf(row.dailyLimit, row.dailySpent),
  weekly: stateOf(row.weeklyLimit, row.weeklySpent),
  monthly: stateOf(row.monthlyLimit, row.monthlySpent),
  annual: stateOf(row.annualLimit, row.annualSpent),
});
