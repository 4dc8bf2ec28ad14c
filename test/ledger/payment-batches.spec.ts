import { createHash } from 'node:crypto';
import { Random } from './fuzz.js';
import { FUNDS, PAYEES, PAYERS, Payments, WALLETS } from './payment-fixture.js';
import { PaymentModel, type Attempt, type ModelInvoice, type Resolution } from './payment-model.js';

/** Some that meet every result, and a new one each run; PAYMENT_BATCHES_SEED repeats it. */
const SEEDS = [100, 101, 102, 270_100, Number(process.env['PAYMENT_BATCHES_SEED'] ?? Date.now() % 1_000_000)];
const ROUNDS = 4;
const BATCH = 14;
/** Results that come from the ledger, or with which a payment has begun. A wallet that was short at the start is refused before. */
const BY_THE_LEDGER = ['settled', 'in_flight', 'insufficient'];

interface Bill {
  readonly hash: string;
  readonly preimage: string;
  readonly text: string;
}
const bill = (random: Random): Bill => {
  const preimage = createHash('sha256').update(random.uuid()).digest();
  const hash = createHash('sha256').update(preimage).digest('hex');
  return { hash, preimage: preimage.toString('hex'), text: `lnbcrt${hash}` };
};

/** Plays the same payments to a database in batches, to another one by one, and to the model. */
class Play {
  readonly seen = new Set<string>();
  private readonly model: PaymentModel;
  private readonly sent: Bill[];

  private constructor(
    private readonly random: Random,
    private readonly invoices: readonly ModelInvoice[],
    private readonly batched: Payments,
    private readonly single: Payments,
  ) {
    this.model = new PaymentModel(new Map(invoices.map((invoice) => [invoice.hash, invoice])));
    for (const wallet of WALLETS) this.model.available.set(wallet, PAYERS.includes(wallet) ? FUNDS : 0n);
    this.sent = Array.from({ length: 8 }, () => bill(random));
  }

  static async run(seed: number): Promise<ReadonlySet<string>> {
    const random = new Random(seed);
    const invoices = Array.from({ length: 9 }, (_, index): ModelInvoice => ({
      ...bill(random),
      // A payer's own invoice is one that is never paid.
      payee: index < 2 ? 'anna' : random.pick([...PAYEES, ...PAYEES, 'paul$']),
      amount: BigInt(random.int(1, 12)) * 1_000n,
      isExpired: index === 0,
      state: index === 1 ? 'cancelled' : 'open',
    })); // prettier-ignore
    const [batched, single] = [await Payments.open(invoices), await Payments.open(invoices)];
    try {
      const play = new Play(random, invoices, batched, single);
      for (let round = 0; round < ROUNDS; round++) await play.round();
      return play.seen;
    } finally {
      await Promise.all([batched.close(), single.close()]);
    }
  }

  private async round(): Promise<void> {
    await this.begin(Array.from({ length: this.random.int(1, BATCH) }, () => this.attempt()));
    const ids = (): string[] => {
      const known = [...this.model.payments.values()].filter(({ hash }) => hash !== null && this.sent.some((each) => each.hash === hash));
      return Array.from({ length: this.random.int(1, BATCH) }, () => (known.length > 0 ? this.random.pick(known).id : this.random.uuid()));
    };
    const claims = ids().map((id) => ({ id, token: this.random.uuid() }));
    await this.compare(claims, (to, batch) => to.dispatch(batch), ({ id, token }) => this.model.dispatch(id, token)); // prettier-ignore
    await this.finish(ids().map((id) => this.resolution(id)));
    expect(await this.batched.available()).toEqual(this.model.available);
    expect(await this.batched.rows()).toEqual(await this.single.rows());
  }

  /**
   * A batch refuses by what it read at its start, and then moves money in order. What depends on another payment of it is deferred
   * (`again`), and asked for once more, as the program does.
   */
  private async begin(attempts: readonly Attempt[]): Promise<void> {
    for (let left = attempts; left.length > 0;) {
      const codes = await this.batched.begin(left);
      const judged = left.map((attempt, n) => ({ attempt, code: codes[n] ?? '' }));
      const ended = judged.filter(({ code }) => code !== 'again');
      expect(ended.length).toBeGreaterThan(0);
      const isLater = ({ attempt, code }: (typeof ended)[number]): boolean =>
        BY_THE_LEDGER.includes(code) && (code !== 'insufficient' || this.model.affords(attempt));
      const later = ended.filter(isLater);
      const inOrder = [...ended.filter((each) => !later.includes(each)), ...later];
      await this.check(
        inOrder.map(({ attempt }) => attempt),
        inOrder.map(({ code }) => code),
        (to, batch) => to.begin(batch),
        (attempt) => this.model.begin(attempt),
      );
      left = judged.filter(({ code }) => code === 'again').map(({ attempt }) => attempt);
    }
  }

  /** The first end of a payment in a batch counts, and a node reports one end of a hash at a time. */
  private async finish(resolutions: readonly Resolution[]): Promise<void> {
    const hashOf = ({ id }: Resolution): string => this.model.payments.get(id)?.hash ?? id;
    const hashes = resolutions.map(hashOf);
    const first = resolutions.filter((each, n) => hashes.indexOf(hashOf(each)) === n);
    await this.compare(first, (to, batch) => to.finish(batch), (each) => this.model.finish(each)); // prettier-ignore
  }

  private async compare<T>(items: readonly T[], ask: (to: Payments, batch: readonly T[]) => Promise<string[]>, rule: (item: T) => string): Promise<void> {
    await this.check(items, await ask(this.batched, items), ask, rule);
  } // prettier-ignore

  private async check<T>(
    items: readonly T[],
    codes: readonly string[],
    ask: (to: Payments, batch: readonly T[]) => Promise<string[]>,
    rule: (item: T) => string,
  ): Promise<void> {
    expect(codes).toEqual(items.map(rule));
    const single: string[] = [];
    for (const item of items) single.push(...(await ask(this.single, [item])));
    expect(codes).toEqual(single);
    for (const code of codes) this.seen.add(code);
  }

  private attempt(): Attempt {
    const { random } = this;
    const known = [...this.model.payments.values()];
    if (known.length > 0 && random.chance(0.08)) return random.pick(known);
    const kind = random.pick(['intraledger', 'internal', 'ln', 'ln'] as const);
    const own = random.pick(this.invoices);
    const other = random.pick(this.sent);
    const invoice = kind === 'internal' ? own : kind === 'ln' ? other : null;
    const payer = random.pick(random.chance(0.1) ? ['unknown', ...PAYERS.map((name) => `${name}$`)] : PAYERS);
    return {
      id: random.uuid(),
      payer,
      payee: invoice ? null : random.pick([...PAYEES, ...PAYEES, payer, 'paul$', 'unknown']),
      hash: invoice?.hash ?? null,
      text: invoice ? (random.chance(0.05) ? `${invoice.text}x` : invoice.text) : null,
      amount: kind === 'internal' && random.chance(0.9) ? own.amount : BigInt(random.int(1, 15_000)),
      feeLimit: kind === 'ln' ? BigInt(random.int(0, 500)) : 0n,
      isExpired: random.chance(0.05),
      toNode: kind === 'ln' && random.chance(0.05),
    };
  }

  private resolution(id: string): Resolution {
    const state = this.random.pick(['settled', 'settled', 'failed', 'unsent', 'lost'] as const);
    const payment = this.model.payments.get(id);
    const preimage = this.sent.find(({ hash }) => hash === payment?.hash)?.preimage ?? null;
    if (state !== 'settled') return { id, state, fee: null, preimage: null };
    return { id, state, fee: this.random.chance(0.1) ? -1n : BigInt(this.random.int(0, 800)), preimage };
  }
}

describe('payments in batches', () => {
  const seen = new Set<string>();

  it.each(SEEDS)('have the results and the rows of one payment after another (seed %i)', async (seed) => {
    for (const code of await Play.run(seed)) seen.add(code);
  });

  it('have met payments that begin, end and are refused', () => {
    for (const code of ['in_flight', 'settled', 'pending', 'insufficient', 'taken', 'refused', 'finished', 'already', 'held'])
      expect(seen).toContain(code);
  });
});
