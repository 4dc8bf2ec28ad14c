import { randomBytes } from 'node:crypto';
import { ApiKeyService } from '../../src/access/api-key/index.js';
import { Events } from '../../src/platform/events/index.js';
import { LightningSimulator, type Faults, type PaymentFailure } from '../../src/money/lightning/index.js';
import { SessionService } from '../../src/access/session/index.js';
import type { TestApp } from './app.js';
import type { CredentialHeaders } from './graphql.js';
import { eventually } from '../../src/testing/eventually.js';
import { PASSWORD, TestUser } from '../../src/testing/test-user.js';
import { WalletClient, type KeyName } from './wallet-client.js';

export { PASSWORD };

/** A person with an account, and a key for each scope. Acts through the public API only. */
export interface Person {
  readonly userId: string;
  readonly username: string;
  readonly email: string;
  readonly accountId: string;
  readonly wallets: { readonly BTC: string; readonly USD: string };
  readonly keys: { readonly read: string; readonly receive: string; readonly write: string; readonly all: string };
  as(key: KeyName): CredentialHeaders;
  sats(): Promise<number>;
  invoice(sats: number, memo?: string, more?: Readonly<Record<string, unknown>>): Promise<{ paymentRequest: string; paymentHash: string }>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
  pay(paymentRequest: string, memo?: string): Promise<any>;
}

const SCOPES = { read: ['read'], receive: ['receive'], write: ['write'], all: ['read', 'receive', 'write'] } as const;

/** Scenario objects over one application. */
export class Fixture {
  constructor(readonly app: TestApp) {}

  get simulator(): LightningSimulator {
    return this.app.get(LightningSimulator);
  }

  /** Registers a person; their sats come from the simulated outside world, by an ordinary payment. */
  async user({ sats = 0, username = `u${randomBytes(5).toString('hex')}` } = {}): Promise<Person> {
    const { userId, email, accountId, wallets } = await TestUser.create(this.app, { username });
    const person = await this.person({ userId, username, email, accountId }, wallets);
    if (sats > 0) await this.fund(person, sats);
    return person;
  }

  /** Pays a person from outside, and waits until the payment has arrived. */
  async fund(person: Person, sats: number): Promise<void> {
    const { paymentRequest, paymentHash } = await person.invoice(sats);
    await new Promise<void>((resolve, reject) => {
      // The event comes after the commit: the balance is booked, and later subscribers do not receive the event.
      const off = this.app.get(Events).on('transaction.changed', (row) => {
        if (row.paymentHash !== paymentHash) return;
        off();
        resolve();
      });
      this.simulator.payOutside(paymentRequest).catch(reject);
    });
  }

  /** Signs a person in, as a script does. */
  async session({ email }: Person): Promise<CredentialHeaders> {
    const response = await fetch(`${this.app.url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: PASSWORD }),
    });
    const { result } = (await response.json()) as { result: { authToken: string } };
    return { authorization: `Bearer ${result.authToken}` };
  }

  /** Ends every session of a person, as by signing out in each browser. */
  async endSessions({ userId }: Person): Promise<void> {
    const { rows } = await this.app.pool.query<{ id: string }>('SELECT id FROM session WHERE user_id = $1 AND ended_at IS NULL', [userId]);
    await Promise.all(rows.map(({ id }) => this.app.get(SessionService).end(id)));
  }

  /** An invoice of the outside world. */
  outside(sats: number, faults?: Faults): Promise<{ paymentRequest: string; paymentHash: string; preimage: string }> {
    return this.simulator.createOutsideInvoice({ amountMsat: BigInt(sats) * 1000n, memo: 'from outside', ...(faults && { faults }) });
  }

  /**
   * Ends a held payment, as it would have ended or with the failure `fail`. A payment is pending for its payer a moment before the node is
   * asked for it: this waits until the node has it.
   */
  async release(paymentHash: string, fail?: PaymentFailure): Promise<void> {
    await eventually(() => this.simulator.release(paymentHash, fail));
  }

  /** The invariants after every test: the audit is zero, and what Sluice owes equals the node's balance. */
  async expectBalanced(): Promise<void> {
    const { rows } = await this.app.pool.query('SELECT * FROM ledger_audit WHERE n <> 0');
    expect(rows).toEqual([]);
    // Settlements at the node are booked a moment later.
    await eventually(async () => (await this.owedMsat()) === (await this.simulator.balances()).balanceMsat).catch(() => undefined);
    expect(await this.owedMsat()).toBe((await this.simulator.balances()).balanceMsat);
  }

  private async owedMsat(): Promise<bigint | undefined> {
    const { rows } = await this.app.pool.query<{ owed: bigint }>(
      'SELECT coalesce(-posted, 0)::int8 AS owed FROM ledger_account WHERE id = -1',
    );
    return rows[0]?.owed;
  }

  private async person(who: Pick<Person, 'userId' | 'username' | 'email' | 'accountId'>, wallets: Person['wallets']): Promise<Person> {
    const { userId } = who;
    const keys = { read: '', receive: '', write: '', all: '' };
    for (const [name, scopes] of Object.entries(SCOPES)) {
      const made = await this.app.get(ApiKeyService).create({ userId, name, scopes, expireInDays: null });
      if (made.kind !== 'created') throw new Error('The key was not created');
      keys[name as keyof typeof keys] = made.secret;
    }
    const client = new WalletClient(this.app.url, wallets.BTC, (key) => ({ 'x-api-key': keys[key] }));
    return {
      ...who,
      wallets,
      keys,
      as: client.as,
      sats: () => client.sats(),
      invoice: (...asked) => client.invoice(...asked),
      pay: (...asked) => client.pay(...asked),
    };
  }
}
