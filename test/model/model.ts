/** An invoice in the model. */
export interface KnownInvoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
  /** Of one without an amount: what its payer has chosen last. */
  sats: number;
  readonly isOpenAmount?: true;
  /** The person who asked for it; null for the outside world. */
  readonly owner: number | null;
  state: 'open' | 'paid' | 'cancelled' | 'expired' | 'in flight';
  /** The person who has paid it or is paying it; null where the outside has. */
  payer: number | null;
}

export const FEE_LIMIT_SATS = 10;
/** What a limited key may spend in the time of a run. */
export const BUDGET_SATS = 250;

/**
 * The expected state: what each person can spend, and the state of each invoice. Written from the product's specification alone; whole
 * satoshis, because Sluice charges no fractions.
 */
export class Model {
  readonly invoices: KnownInvoice[] = [];
  /** What each person's limited key has spent, in satoshis. */
  readonly spent: number[] = [];

  constructor(
    /** What each person can spend, without what is held for payments in flight. */
    readonly balances: number[],
  ) {}

  add(invoice: Omit<KnownInvoice, 'state' | 'payer'>): void {
    this.invoices.push({ ...invoice, state: 'open', payer: null });
  }

  /** The n-th of the invoices of this kind, modulo their number. */
  pick(n: number, of: (invoice: KnownInvoice) => boolean): KnownInvoice | undefined {
    const some = this.invoices.filter(of);
    return some[n % Math.max(1, some.length)];
  }

  /** A payment by the limited key. @returns why it is refused */
  spend(person: number, sats: number): 'TRANSACTION_RESTRICTED' | undefined {
    const total = (this.spent[person] ?? 0) + sats;
    if (total > BUDGET_SATS) return 'TRANSACTION_RESTRICTED';
    if ((this.balances[person] ?? 0) >= sats) this.spent[person] = total;
    return undefined;
  }

  move(person: number, sats: number): void {
    this.balances[person] = (this.balances[person] ?? 0) + sats;
  }

  /** Why a person cannot pay an invoice, or the answer that they get at once; undefined where the balance decides. */
  refusal(payer: number, invoice: KnownInvoice): string | undefined {
    const over = invoice.state === 'paid' || invoice.state === 'in flight';
    if (over && invoice.payer === payer) return invoice.state === 'paid' ? 'ALREADY_PAID' : 'PENDING';
    if (over || invoice.owner === payer || invoice.state !== 'open') return 'refused';
    const needed = invoice.owner === null ? invoice.sats + FEE_LIMIT_SATS : invoice.sats;
    return (this.balances[payer] ?? 0) < needed ? 'INSUFFICIENT_BALANCE' : undefined;
  }
}

/** The answer, with all refusals reduced to one. */
export const gist = (answer: string): string =>
  ['SUCCESS', 'PENDING', 'ALREADY_PAID', 'INSUFFICIENT_BALANCE', 'TRANSACTION_RESTRICTED'].includes(answer) ? answer : 'refused';
