import { BTC, DEALER_USD, HOT, MAX, SYSTEM, USD, type Op } from './ledger-fixture.js';

interface Account {
  readonly currency: number;
  readonly hot: boolean;
  readonly free: boolean;
  posted: bigint;
  held: bigint;
}
interface Hold {
  readonly account: bigint;
  readonly amount: bigint;
  state: 'open' | 'captured' | 'voided';
}
interface Change {
  posted: bigint;
  held: bigint;
}
type Nets = ReadonlyMap<bigint, bigint>;
type Refusal = string | undefined;

const beyond = (amount: bigint): boolean => amount > MAX || amount < -MAX;

/** The ledger's rules again, in memory, one operation after another: written from the head of ledger_apply.sql, not from its code. */
export class Model {
  accounts = new Map<bigint, Account>();
  holds = new Map<string, Hold>();
  /** The request of every accepted key. */
  accepted = new Map<string, string>();
  /** Batches whose operations are judged one by one, because a hot account would end beyond the bound. */
  replays = 0;

  constructor() {
    for (const id of SYSTEM) this.open(id, id === DEALER_USD ? USD : BTC);
  }

  open(id: bigint, currency: number): void {
    this.accounts.set(id, { currency, hot: HOT.includes(id), free: id < 0n, posted: 0n, held: 0n });
  }

  apply(ops: readonly Op[]): string[] {
    const before = structuredClone([this.accounts, this.holds, this.accepted] as const);
    const results = ops.map((op) => this.step(op, false));
    if (![...this.accounts.values()].some(({ posted }) => beyond(posted))) return results;
    [this.accounts, this.holds, this.accepted] = before;
    this.replays++;
    return ops.map((op) => this.step(op, true));
  }

  private step(op: Op, boundHot: boolean): string {
    const faults = this.faults(op);
    const refusal = ['invalid', 'out_of_range', 'unknown_account'].find((fault) => faults.has(fault));
    if (refusal) return refusal;
    const nets = this.net(op);
    if (!this.suits(op, nets)) return 'invalid';
    const content = JSON.stringify([op.op, op.kind ?? 1, op.hold ?? null, [...nets].map(String).sort()]);
    const key = String(op.idem);
    const known = this.accepted.get(key);
    if (known !== undefined) return known === content ? 'duplicate' : 'conflict';
    const refused = this.refuseHold(op, nets) ?? this.refuseBalances(this.changes(op, nets), boundHot);
    if (refused) return refused;
    this.accept(op, key, nets);
    this.accepted.set(key, content);
    return 'ok';
  }

  private faults({ legs = [] }: Op): Set<string> {
    const faults = new Set<string>();
    const nets = new Map<bigint, bigint>();
    for (const [id, amount] of legs) {
      const text = String(amount);
      if (id === null || amount === null || /^0+$/.test(text) || text.includes('.')) faults.add('invalid');
      else if (!/^-?\d+$/.test(text) || beyond(BigInt(text))) faults.add('out_of_range');
      else if (!this.accounts.has(id)) faults.add('unknown_account');
      else nets.set(id, (nets.get(id) ?? 0n) + BigInt(text));
    }
    if ([...nets.values()].some(beyond)) faults.add('out_of_range');
    return faults;
  }

  private net({ legs = [] }: Op): Nets {
    const nets = new Map<bigint, bigint>();
    for (const [id, amount] of legs) nets.set(id as bigint, (nets.get(id as bigint) ?? 0n) + BigInt(String(amount)));
    return nets;
  }

  private suits(op: Op, nets: Nets): boolean {
    const totals = new Map<number, bigint>();
    for (const [id, amount] of nets) {
      const { currency } = this.at(id);
      totals.set(currency, (totals.get(currency) ?? 0n) + amount);
    }
    const balanced = [...totals.values()].every((total) => total === 0n) && [...nets.values()].some((amount) => amount !== 0n);
    if (op.idem === null || op.kind === null) return false;
    const named = typeof op.hold === 'string';
    if (op.op === 'post') return !named && balanced;
    if (op.op === 'hold') return !named && nets.size === 1 && [...nets].every(([id, amount]) => amount < 0n && !this.at(id).hot);
    if (op.op === 'capture') return named && balanced;
    return op.op === 'void' && named && nets.size === 0;
  }

  private refuseHold(op: Op, nets: Nets): Refusal {
    if (typeof op.hold !== 'string') return undefined;
    const hold = this.holds.get(op.hold);
    if (hold?.state !== 'open') return 'hold_not_open';
    const debit = -(nets.get(hold.account) ?? 0n);
    if (op.op === 'void') return undefined;
    if (debit <= 0n) return 'invalid';
    return debit > hold.amount ? 'hold_exceeded' : undefined;
  }

  /** The changes that an operation makes to each account. */
  private changes(op: Op, nets: Nets): Map<bigint, Change> {
    if (op.op === 'hold') return new Map([...nets].map(([id, amount]) => [id, { posted: 0n, held: -amount }]));
    const changes = new Map<bigint, Change>([...nets].map(([id, amount]) => [id, { posted: amount, held: 0n }]));
    const hold = this.holds.get(op.hold ?? '');
    if (hold) changes.set(hold.account, { posted: nets.get(hold.account) ?? 0n, held: -hold.amount });
    return changes;
  }

  private refuseBalances(changes: ReadonlyMap<bigint, Change>, boundHot: boolean): Refusal {
    const sorted = [...changes].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, change]) => ({ account: this.at(id), change }));
    for (const { account, change } of sorted.filter(({ account }) => !account.hot)) {
      const [posted, held] = [account.posted + change.posted, account.held + change.held];
      if (beyond(posted) || beyond(held)) return 'out_of_range';
      if (posted < held && !account.free) return 'insufficient';
    }
    return boundHot && sorted.some(({ account, change }) => beyond(account.posted + change.posted)) ? 'out_of_range' : undefined;
  }

  private accept(op: Op, key: string, nets: Nets): void {
    for (const [id, change] of this.changes(op, nets)) {
      const account = this.at(id);
      account.posted += change.posted;
      account.held += change.held;
    }
    const hold = this.holds.get(op.hold ?? '');
    if (hold) hold.state = op.op === 'capture' ? 'captured' : 'voided';
    if (op.op === 'hold') for (const [account, amount] of nets) this.holds.set(key, { account, amount: -amount, state: 'open' });
  }

  private at(id: bigint): Account {
    const account = this.accounts.get(id);
    if (!account) throw new Error(`the model has no account ${id}`);
    return account;
  }
}
