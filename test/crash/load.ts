import type { WalletClient } from '../support/wallet-client.js';
import type { CrashingServer } from './crashing-server.js';

/** A small random number generator (mulberry32): the same seed, the same run. */
export function randomOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** How the outside may treat a payment: at once, slowly, without an answer, later than any caller waits, or not at all. */
const OUTGOING = [
  {},
  { delayMs: 200 },
  { delayMs: 2_500 },
  { delayMs: 1_500, fail: 'no_route' },
  { fail: 'timeout' },
  { dropResponse: true },
  { dropResponse: true, delayMs: 800, fail: 'rejected' },
  { responseDelayMs: 1_000 },
  { lost: true },
  { routeFeeMsat: 'limit' },
  { routeFeeMsat: 'limit', overchargeMsat: 1_500n },
  { duplicateEvent: true, eventDelayMs: 300 },
  { disconnect: true },
] as const;
const INCOMING = [
  {},
  { delayMs: 600 },
  { duplicateEvent: true },
  { disconnect: true },
  { settleIndexGap: 3 },
  { fail: 'timeout' },
] as const;

/** A final answer that a caller received. */
export interface Promised {
  readonly transactionId: string;
  readonly status: string;
}

/**
 * People who pay each other, pay the outside and are paid from there, until `stop`. They expect no answers, but keep those that
 * they receive.
 */
export class Load {
  readonly promised: Promised[] = [];
  answers = 0;
  private running = true;
  private readonly workers: Promise<void>[];

  constructor(
    private readonly system: CrashingServer,
    people: number,
    seed: number,
  ) {
    this.workers = Array.from({ length: people }, (_, n) => this.live(n, people, randomOf(seed * 1_000 + n)));
  }

  async stop(): Promise<void> {
    this.running = false;
    await Promise.all(this.workers);
  }

  private async live(n: number, people: number, random: (below: number) => number): Promise<void> {
    while (this.running) {
      await this.act(this.system.person(n), n, people, random).then(
        () => this.answers++,
        // The server has been killed: wait for the next one, or for `stop`.
        () => new Promise((resolve) => setTimeout(resolve, 200)),
      );
    }
  }

  private async act(self: WalletClient, n: number, people: number, random: (below: number) => number): Promise<void> {
    const sats = 1 + random(40);
    const other = this.system.person((n + 1 + random(people - 1)) % people);
    const pick = random(10);
    if (pick < 4) return this.pay(self, (await other.invoice(sats)).paymentRequest);
    const incoming = INCOMING[random(INCOMING.length)];
    if (pick < 6)
      return void (await this.system.simulator.payOutside((await self.invoice(sats)).paymentRequest, { faults: incoming ?? {} }));
    return this.pay(self, (await this.system.outside(sats, OUTGOING[random(OUTGOING.length)])).paymentRequest);
  }

  private async pay(self: WalletClient, paymentRequest: string): Promise<void> {
    const { status, transaction } = (await self.pay(paymentRequest)) as { status: string; transaction: { id: string } | null };
    if (transaction && status !== 'PENDING') this.promised.push({ transactionId: transaction.id, status });
  }
}
