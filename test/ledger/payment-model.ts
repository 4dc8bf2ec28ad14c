import { MAX } from './ledger-fixture.js';

const WHOLE = 1_000n;
/** The account of a wallet: a person's dollar wallet is `<person>$`. */
const accountOf = (wallet: string): string => wallet.replace('$', '');
const isDollar = (wallet: string): boolean => wallet.endsWith('$');
const roundedUp = (msat: bigint): bigint => ((msat + WHOLE - 1n) / WHOLE) * WHOLE;

export interface ModelInvoice {
  readonly hash: string;
  readonly text: string;
  readonly preimage: string;
  readonly payee: string;
  readonly amount: bigint;
  readonly isExpired: boolean;
  state: 'open' | 'paid' | 'cancelled';
}

/** An attempt to pay. `payee` is a wallet; with a `hash`, it is the invoice's. */
export interface Attempt {
  readonly id: string;
  readonly payer: string;
  readonly payee: string | null;
  readonly hash: string | null;
  readonly text: string | null;
  readonly amount: bigint;
  readonly feeLimit: bigint;
  readonly isExpired: boolean;
  readonly toNode: boolean;
}

export interface Resolution {
  readonly id: string;
  readonly state: 'settled' | 'failed' | 'unsent' | 'lost';
  readonly fee: bigint | null;
  readonly preimage: string | null;
}

interface ModelPayment extends Attempt {
  state: 'in_flight' | 'settled' | 'failed';
  token: string | null;
}

/** The rules of payments again, in memory, one payment after another: written from the heads of the SQL functions, not from their code. */
export class PaymentModel {
  readonly payments = new Map<string, ModelPayment>();
  /** What a wallet can spend. */
  readonly available = new Map<string, bigint>();

  constructor(readonly invoices: ReadonlyMap<string, ModelInvoice>) {}

  begin(attempt: Attempt): string {
    const known = this.payments.get(attempt.id);
    if (known) return { settled: 'settled', failed: 'refused', in_flight: 'pending' }[known.state];
    const invoice = this.invoices.get(attempt.hash ?? '');
    const isOurs = invoice?.text === attempt.text;
    const payee = invoice && isOurs ? invoice.payee : attempt.payee;
    const cost = this.costOf(attempt);
    const refusal = this.refusalOf(attempt, invoice, payee) ?? (this.affords(attempt) ? undefined : 'insufficient');
    if (refusal) return refusal;
    const isSent = attempt.hash !== null && !invoice;
    this.payments.set(attempt.id, { ...attempt, state: isSent ? 'in_flight' : 'settled', token: null });
    this.add(attempt.payer, -cost);
    if (payee !== null && !isSent) this.add(payee, cost);
    if (invoice) invoice.state = 'paid';
    return isSent ? 'in_flight' : 'settled';
  }

  affords(attempt: Attempt): boolean {
    return this.costOf(attempt) <= (this.available.get(attempt.payer) ?? 0n);
  }

  private costOf({ hash, amount, feeLimit }: Attempt): bigint {
    return hash !== null && !this.invoices.has(hash) ? roundedUp(amount + feeLimit) : amount;
  }

  dispatch(id: string, token: string): string {
    const payment = this.payments.get(id);
    if (payment?.state !== 'in_flight' || (payment.token !== null && payment.token !== token)) return 'refused';
    payment.token = token;
    return 'taken';
  }

  finish({ id, state, fee }: Resolution): string {
    const payment = this.payments.get(id);
    if (!payment) return 'unknown';
    if (payment.state === 'settled' || (payment.state === 'failed' && state !== 'settled')) return 'already';
    // The index of the node has never gone back.
    if ((state === 'unsent' && payment.token !== null) || (state === 'lost' && payment.token === null)) return 'held';
    if (state === 'settled' && (fee === null || fee < 0n || fee > MAX)) return 'refused';
    if (payment.state === 'failed') {
      if (this.live(payment.hash)) return 'already';
      payment.state = 'settled';
      return 'overtaken';
    }
    const held = roundedUp(payment.amount + payment.feeLimit);
    const spent = roundedUp(payment.amount + (fee ?? 0n));
    payment.state = state === 'settled' ? 'settled' : 'failed';
    this.add(payment.payer, state === 'settled' ? held - (spent < held ? spent : held) : held);
    return 'finished';
  }

  /** A hash is payable once: only a failed attempt allows another. */
  live(hash: string | null): ModelPayment | undefined {
    return hash === null ? undefined : [...this.payments.values()].find((other) => other.hash === hash && other.state !== 'failed');
  }

  private refusalOf(attempt: Attempt, invoice: ModelInvoice | undefined, payee: string | null): string | undefined {
    if (!this.available.has(attempt.payer)) return 'unknown_wallet';
    if (invoice && invoice.text !== attempt.text) return 'text_mismatch';
    const live = this.live(attempt.hash);
    if (live && accountOf(live.payer) === accountOf(attempt.payer)) return live.state === 'settled' ? 'already_paid' : 'pending';
    if (live) return live.state === 'in_flight' ? 'being_paid' : 'paid_by_other';
    if (attempt.hash !== null && !invoice && attempt.toNode) return 'not_our_invoice';
    if (attempt.hash === null && (payee === null || !this.available.has(payee))) return 'unknown_recipient';
    if (payee === attempt.payer) return 'self_payment';
    if (invoice?.state === 'cancelled') return 'cancelled';
    if (invoice ? invoice.isExpired : attempt.isExpired) return 'expired';
    if (invoice && invoice.amount !== attempt.amount) return 'wrong_amount';
    // No dollar has a price here.
    if (isDollar(attempt.payer)) return attempt.hash === null ? 'wrong_currency' : 'no_price';
    return payee !== null && isDollar(payee) ? 'no_price' : undefined;
  }

  private add(wallet: string, amount: bigint): void {
    this.available.set(wallet, (this.available.get(wallet) ?? 0n) + amount);
  }
}
