/** An invoice as the model remembers it. */
export interface KnownBill {
  readonly paymentRequest: string;
  readonly paymentHash: string;
  readonly sats: number;
  /** Who asked for it; null for the outside world. */
  readonly owner: number | null;
  state: 'open' | 'paid' | 'cancelled' | 'expired' | 'in flight';
  /** Who of the people has paid it or is paying it; null where the outside has. */
  payer: number | null;
}

export const FEE_LIMIT_SATS = 10;

/**
 * What should be: who can spend how much, and what became of each invoice. Written after product.md and from nothing else; whole satoshis,
 * because nobody is charged less than one.
 */
export class Model {
  readonly bills: KnownBill[] = [];

  constructor(
    /** What each can spend: what is held for payments in flight is not in it. */
    readonly balances: number[],
  ) {}

  add(bill: Omit<KnownBill, 'state' | 'payer'>): void {
    this.bills.push({ ...bill, state: 'open', payer: null });
  }

  /** The n-th of the bills of this kind, counted around. */
  pick(n: number, of: (bill: KnownBill) => boolean): KnownBill | undefined {
    const some = this.bills.filter(of);
    return some[n % Math.max(1, some.length)];
  }

  move(person: number, sats: number): void {
    this.balances[person] = (this.balances[person] ?? 0) + sats;
  }

  /** Why somebody cannot pay a bill, or what they are told at once; undefined where the money decides. */
  refusal(payer: number, bill: KnownBill): string | undefined {
    const over = bill.state === 'paid' || bill.state === 'in flight';
    if (over && bill.payer === payer) return bill.state === 'paid' ? 'ALREADY_PAID' : 'PENDING';
    if (over || bill.owner === payer || bill.state !== 'open') return 'refused';
    const needed = bill.owner === null ? bill.sats + FEE_LIMIT_SATS : bill.sats;
    return (this.balances[payer] ?? 0) < needed ? 'INSUFFICIENT_BALANCE' : undefined;
  }
}

/** What an answer says, without the wording of refusals. */
export const gist = (answer: string): string =>
  ['SUCCESS', 'PENDING', 'ALREADY_PAID', 'INSUFFICIENT_BALANCE'].includes(answer) ? answer : 'refused';
