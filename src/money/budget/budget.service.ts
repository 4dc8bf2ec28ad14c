import { Injectable, Global, Module } from '@nestjs/common';
import { BatchLoader, columns, Database, sql, type RowOf, type Tx } from '../../platform/database/index.js';
import { msatOfSats, satsOfMsat } from '../../platform/kernel/money.js';
import {
  BUDGET_WINDOWS,
  SpendingLimits,
  type AskAbove,
  type Budget,
  type BudgetLimits,
  type BudgetOwner,
  type BudgetWindow,
  type LimitInForce,
  type LimitsChange,
} from '../../access/limit/index.js';
import { BudgetAskEntity } from './budget-ask.entity.js';
import { BudgetEntity } from './budget.entity.js';

interface InForceRow {
  readonly window: BudgetWindow;
  readonly limitMsat: bigint;
  readonly spentMsat: bigint;
  readonly freeAt: Date | null;
}

type BudgetRow = Readonly<Record<`${BudgetWindow}Limit`, bigint | null> & Record<`${BudgetWindow}Spent`, bigint>>;

declare module '../../platform/events/event-map.js' {
  interface EventMap {
    /** A limit was used by 80 or 100 percent. The key is the id of its budget. */
    'budget.used': Omit<LimitInForce, 'freeAt'> & { readonly percent: number; readonly freeAtMs: number | null };
  }
}

const LIMITS = columns(BudgetEntity);
const SET = sql`SELECT budget_set($1, $2, w.part, w.limit_msat) FROM unnest($3::text[], $4::bigint[]) AS w(part, limit_msat)`;
const FORGET = sql`SELECT budget_forget(x.id) FROM unnest($1::text[]) AS x(id)`;
const LIST = sql`SELECT daily_limit_msat AS "dailyLimit", weekly_limit_msat AS "weeklyLimit", monthly_limit_msat AS "monthlyLimit", annual_limit_msat AS "annualLimit",
                daily_spent_msat AS "dailySpent", weekly_spent_msat AS "weeklySpent", monthly_spent_msat AS "monthlySpent", annual_spent_msat AS "annualSpent"
           FROM budget_list($1::text[])`;
const IN_FORCE = sql`SELECT f.part AS window, f.limit_msat AS "limitMsat", f.spent_msat AS "spentMsat", f.free_at AS "freeAt" FROM budget_in_force($1::text[]) AS f`;
const LIST_LIMITS = sql`SELECT ${LIMITS.of('b')} FROM budget b WHERE b.id = ANY ($1)`;

const ASK = columns(BudgetAskEntity).only('paymentMsat', 'dayMsat');
const LIST_ASKS = sql`SELECT ${ASK.of('a')}
           FROM unnest($1::text[]) WITH ORDINALITY AS x(id, n) LEFT JOIN budget_ask a ON a.id = x.id ORDER BY x.n`;
const SET_ASK = sql`SELECT budget_ask_set($1, $2, $3, $4)`;

/** `payment_begin` checks the budgets in the statement that holds or moves the money. */
@Injectable()
class BudgetService extends SpendingLimits {
  private readonly budgets: BatchLoader<Budget>;
  private readonly asks: BatchLoader<AskAbove>;

  constructor(private readonly database: Database) {
    super();
    this.asks = new BatchLoader(async (ids) => (await this.database.query<RowOf<typeof ASK>>(LIST_ASKS, [ids])).map(askOf));
    this.budgets = new BatchLoader(async (ids) => (await this.database.query<BudgetRow>(LIST, [ids])).map(budgetOf));
  }

  async limitsOf(ids: readonly string[], tx: Tx = this.database): Promise<ReadonlyMap<string, BudgetLimits>> {
    const rows = await tx.query<RowOf<typeof LIMITS>>(LIST_LIMITS, [ids]);
    return new Map(rows.map((row) => [row.id, limitsIn(row)]));
  }

  load(id: string): Promise<Budget> {
    return this.budgets.load(id);
  }

  async inForce(ids: readonly string[]): Promise<readonly LimitInForce[]> {
    if (ids.length === 0) return [];
    const rows = await this.database.query<InForceRow>(IN_FORCE, [ids]);
    return rows.map(({ limitMsat, spentMsat, ...row }) => ({ ...row, limitSats: satsOfMsat(limitMsat), spentSats: satsOfMsat(spentMsat) }));
  }

  async changeWithin(tx: Tx, { id, userId }: BudgetOwner, change: LimitsChange): Promise<void> {
    const windows = BUDGET_WINDOWS.filter((window) => change[window] !== undefined);
    const limits = windows.map((window) => change[window] ?? null);
    if (windows.length > 0) await tx.query(SET, [id, userId, windows, limits.map(msatOfLimit)]);
  }

  askOf(id: string): Promise<AskAbove> {
    return this.asks.load(id);
  }

  async askWithin(tx: Tx, { id, userId }: BudgetOwner, { paymentSats, daySats }: AskAbove): Promise<void> {
    await tx.query(SET_ASK, [id, userId, msatOfLimit(paymentSats), msatOfLimit(daySats)]);
  }

  async forget(tx: Tx, ids: readonly string[]): Promise<void> {
    await tx.query(FORGET, [ids]);
  }
}

const satsOfLimit = (limitMsat: bigint | null): number | null => (limitMsat === null ? null : satsOfMsat(limitMsat));

const msatOfLimit = (sats: number | null): bigint | null => (sats === null ? null : msatOfSats(sats));

const askOf = ({ paymentMsat, dayMsat }: RowOf<typeof ASK>): AskAbove => ({
  paymentSats: satsOfLimit(paymentMsat),
  daySats: satsOfLimit(dayMsat),
});

const byWindow = <Each>(of: (window: BudgetWindow) => Each): Record<BudgetWindow, Each> => ({
  daily: of('daily'),
  weekly: of('weekly'),
  monthly: of('monthly'),
  annual: of('annual'),
});

const limitsIn = (row: RowOf<typeof LIMITS>): BudgetLimits => byWindow((window) => satsOfLimit(row[`${window}Msat`]));

const budgetOf = (row: BudgetRow): Budget =>
  byWindow((window) => ({ limitSats: satsOfLimit(row[`${window}Limit`]), spentSats: satsOfMsat(row[`${window}Spent`]) }));

/** Provides the limits of credentials. It is global, because `access` may not import `money`. */
@Global()
@Module({ providers: [{ provide: SpendingLimits, useClass: BudgetService }], exports: [SpendingLimits] })
export class BudgetModule {}
