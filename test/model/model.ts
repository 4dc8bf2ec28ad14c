/** An invoice in the model. */
export interface KnownBill {
  readonly paymentRequest: string;
  readonly paymentHash: string;
  readonly sats: number;
  /** The person who asked for it; null for the outside world. */
  readonly owner: number | null;
  state: 'open' | 'paid' | 'cancelled' | 'expired' | 'in flight';
  /** The person who has paid it or is paying it; null where the outside has. */
  payer: number | null;
}

export const FEE_LIMIT_SATS = 10;

/**
 * The expected state: what each person can spend, and the state of each invoice. Written from the product's specification alone; whole
 * satoshis, because Sluice charges no fractions.
 */
export class Model {
  readonly bills: KnownBill[] = [];

  constructor(
    /** What each person can spend, without what is held for payments in flight. */
    readonly balances: number[],
  ) {}

  add(bill: Omit<KnownBill, 'state' | 'payer'>): void {
    this.bills.push({ ...bill, state: 'open', payer: null });
  }

  /** The n-th of the bills of this kind, modulo their number. */
  pick(n: number, of: (bill: KnownBill) => boolean): KnownBill | undefined {
    const some = this.bills.filter(of);
    return some[n % Math.max(1, some.length)];
  }

  move(person: number, sats: number): void {
    this.balances[person] = (this.balances[person] ?? 0) + sats;
  }

  /** Why a person cannot pay a bill, or the answer that they get at once; undefined where the balance decides. */
  refusal(payer: number, bill: KnownBill): string | undefined {
    const over = bill.state === 'paid' || bill.state === 'in flight';
    if (over && bill.payer === payer) return bill.state === 'paid' ? 'ALREADY_PAID' : 'PENDING';
    if (over || bill.owner === payer || bill.state !== 'open') return 'refused';
    const needed = bill.owner === null ? bill.sats + FEE_LIMIT_SATS : bill.sats;
    return (this.balances[payer] ?? 0) < needed ? 'INSUFFICIENT_BALANCE' : undefined;
  }
}

/** The answer, with all refusals reduced to one. */
export const gist = (answer: string): string =>
  ['SUCCESS', 'PENDING', 'ALREADY_PAID', 'INSUFFICIENT_BALANCE'].includes(answer) ? answer : 'refused';
