import {
  capture,
  DEALER_BTC,
  DEALER_USD,
  FEES,
  hold,
  HOT,
  LIGHTNING,
  LOSS,
  MAX,
  post,
  release,
  type Leg,
  type Op,
} from './ledger-fixture.js';

/** A small random number generator (xorshift): the same seed, the same run. */
export class Random {
  private state: number;

  constructor(readonly seed: number) {
    this.state = Math.imul(seed + 1, 0x9e3779b1) | 1;
    for (let warm = 0; warm < 8; warm++) this.unit();
  }

  private unit(): number {
    this.state ^= this.state << 13;
    this.state ^= this.state >>> 17;
    this.state ^= this.state << 5;
    return (this.state >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.unit() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.int(0, 15).toString(16)).join('');
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }
}

interface Made {
  readonly id: string;
  readonly account: bigint;
  readonly amount: bigint;
}
const NOBODY = 404n;
const NONSENSE = ['0', '1.5', 'NaN', 'Infinity', '9223372036854775808', '-2100000000000000001', `1${'0'.repeat(40)}`, null];

/** Makes batches that mostly make sense: about a third has some fault, or repeats an earlier operation. */
export class Fuzz {
  private readonly sent: Op[] = [];
  private readonly held: Made[] = [];

  /** @param huge amounts near the bound; @param kinds to choose from */
  constructor(
    readonly random: Random,
    private readonly customers: readonly bigint[],
    private readonly dollars: readonly bigint[],
    private readonly options: { readonly huge?: boolean; readonly kinds?: readonly number[] } = {},
  ) {}

  batch(max: number): Op[] {
    return Array.from({ length: this.random.chance(0.2) ? 1 : this.random.int(2, max) }, () => this.op());
  }

  private op(): Op {
    const { random } = this;
    if (this.sent.length > 0 && random.chance(0.12)) return this.again(random.pick(this.sent));
    const op = this.fresh();
    this.sent.push(op);
    if (this.sent.length > 50) this.sent.shift();
    if (random.chance(0.05))
      return {
        ...op,
        ...random.pick<Partial<Op>>([
          { idem: null },
          { kind: null },
          { op: 'steal' },
          { hold: random.uuid() },
          { hold: null },
          { legs: [] },
        ]),
      };
    return op.legs?.length && random.chance(0.1) ? { ...op, legs: this.spoil(op.legs) } : op;
  }

  private again(op: Op): Op {
    const how = this.random.int(0, 9);
    if (how <= 5) return op;
    if (how <= 7) return { ...op, legs: [...(op.legs ?? [])].reverse() };
    return how === 8 ? { ...this.fresh(), idem: op.idem } : { ...op, kind: 3 };
  }

  private fresh(): Op {
    const { random } = this;
    const stamp = { idem: random.uuid(), kind: random.pick(this.options.kinds ?? [1]) };
    const roll = random.int(0, 9);
    if (roll <= 4 || (roll > 6 && this.held.length === 0)) return { ...post(...this.transfer(this.amount())), ...stamp };
    if (roll <= 6) {
      const account = random.chance(0.04) ? random.pick([LIGHTNING, NOBODY, LOSS]) : random.pick([...this.customers, ...this.dollars]);
      const amount = this.amount();
      this.held.push({ id: stamp.idem, account, amount });
      return { ...hold(account, amount), ...stamp };
    }
    const made = random.chance(0.7) ? random.pick(this.held.slice(-6)) : random.pick(this.held);
    return { ...(roll <= 8 ? capture(made.id, ...this.taking(made)) : release(made.id)), ...stamp };
  }

  private amount(): bigint {
    const { random } = this;
    if (this.options.huge && random.chance(0.6))
      return random.pick([MAX, MAX - 1n, MAX / 2n, MAX / 2n + 1n, MAX / 3n, MAX - BigInt(random.int(0, 1000))]);
    return BigInt(random.int(1, random.chance(0.2) ? 5 : 1000));
  }

  private someone(): bigint {
    return this.random.chance(0.05) ? LOSS : this.random.pick(this.customers);
  }

  private transfer(amount: bigint): Leg[] {
    const { random } = this;
    const cents = BigInt(random.int(1, 50));
    const [from, to] = [this.someone(), this.someone()];
    switch (random.int(0, 6)) {
      case 0:
      case 1:
        return [[LIGHTNING, -amount], [to, amount]]; // prettier-ignore
      case 2:
        return [[from, -amount], [LIGHTNING, amount]]; // prettier-ignore
      case 3:
        return [[from, -amount], [DEALER_BTC, amount], [DEALER_USD, -cents], [random.pick(this.dollars), cents]]; // prettier-ignore
      case 4:
        return [[from, -amount - 1n], [to, amount], [FEES, 1n]]; // prettier-ignore
      case 5:
        return [[from, -amount], [to, amount + 2n], [from, -2n]]; // prettier-ignore
      default:
        return random.chance(0.1) ? [[FEES, -amount], [LIGHTNING, amount]] : [[from, -amount], [to, amount]]; // prettier-ignore
    }
  }

  private taking({ account, amount }: Made): Leg[] {
    const { random } = this;
    const to = this.dollars.includes(account) ? DEALER_USD : random.pick([LIGHTNING, ...this.customers]);
    const part = amount / BigInt(random.int(1, 4)) || 1n;
    const taken = random.chance(0.12) ? amount + BigInt(random.int(1, 50)) : part;
    if (random.chance(0.06)) return [[this.someone(), -taken], [to, taken]]; // prettier-ignore
    return random.chance(0.3) ? [[account, -1n], [to, taken + 1n], [account, -taken]] : [[account, -taken], [to, taken]]; // prettier-ignore
  }

  private spoil(legs: readonly Leg[]): Leg[] {
    const { random } = this;
    const copy = [...legs];
    const at = random.int(0, copy.length - 1);
    const [account = null, amount = null] = copy[at] ?? [];
    const spoiled: Leg[] = [[NOBODY, amount], [null, amount], [random.pick([...this.dollars, ...this.customers]), amount], [account, random.pick(NONSENSE)], [account, 7n]]; // prettier-ignore
    const how = random.int(0, spoiled.length + 1);
    if (how === spoiled.length) return copy.slice(1);
    if (how > spoiled.length) return [...copy, [random.pick(this.customers), -MAX], [random.pick(this.customers), MAX], [random.pick(HOT), -MAX], [random.pick(HOT), MAX]]; // prettier-ignore
    copy[at] = spoiled[how] ?? [null, null];
    return copy;
  }
}
