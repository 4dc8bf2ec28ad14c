import { createTestApp, type TestApp } from '../support/app.js';
import { WalletClient } from '../support/wallet-client.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Races send more requests than the limits for real callers permit. */
const UNTHROTTLED = {
  THROTTLE_ADDRESS: '1000000/60',
  THROTTLE_PRINCIPAL: '1000000/60',
  THROTTLE_ACCOUNT: '1000000/60',
  WORK_PER_ADDRESS: '1000',
  WORK_PER_PRINCIPAL: '1000',
};

/** One installation of two processes: two applications on one database. */
export class TwoInstances {
  private constructor(
    readonly one: TestApp,
    readonly two: TestApp,
    readonly fixture: Fixture,
  ) {}

  static async start(env: Readonly<Record<string, string>> = {}): Promise<TwoInstances> {
    const one = await createTestApp({ env: { ...UNTHROTTLED, ...env } });
    const two = await createTestApp({ beside: one, env: { ...UNTHROTTLED, ...env } });
    return new TwoInstances(one, two, new Fixture(one));
  }

  /** The address for the n-th caller: the two instances alternate. */
  url(n: number): string {
    return n % 2 === 0 ? this.one.url : this.two.url;
  }

  /** A person's wallet for the n-th caller. */
  wallet(person: Person, n: number): WalletClient {
    return new WalletClient(this.url(n), person.wallets.BTC, (scope) => person.as(scope));
  }

  async close(): Promise<void> {
    await this.two.close();
    await this.one.close();
  }

  /** Of transactions of both, since the start. */
  async deadlocks(): Promise<number> {
    const { rows } = await this.one.pool.query<{ n: bigint }>(
      'SELECT deadlocks AS n FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.n);
  }
}

/** The answer to a payment. */
export interface Sent {
  readonly status: string;
  readonly errors: readonly { readonly code: string }[];
}

/** The code of its refusal, or its status. */
export const said = ({ status, errors }: Sent): string => errors[0]?.code ?? status;

/** Runs `work` `count` times at once, with the index of each. */
export const atOnce = <T>(count: number, work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)));

/** How often each answer occurred. */
export function tally(answers: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const answer of answers) counts[answer] = (counts[answer] ?? 0) + 1;
  return counts;
}
