import { LightningSimulator, type Faults } from '../../src/lightning/index.js';
import { PaymentReconciler } from '../../src/payment/payment.reconciler.js';
import { TimeTravel } from '../support/time-travel.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../../src/testing/eventually.js';
import { graphql } from '../support/graphql.js';
import { WalletClient } from '../support/wallet-client.js';
import { Fixture, type Person } from '../support/fixture.js';

export interface Bill {
  readonly paymentRequest: string;
  readonly paymentHash: string;
}

const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { errors { code } success } }`;
const ENV = {
  PAYMENT_WAIT_SECONDS: '1',
  RECONCILE_INTERVAL_SECONDS: '1',
  RECONCILE_AFTER_SECONDS: '0',
  THROTTLE_ADDRESS: '1000000/60',
  THROTTLE_PRINCIPAL: '1000000/60',
  THROTTLE_ACCOUNT: '1000000/60',
};
/** Seconds by which payments are aged, longer than a lease, so that the node's "not found" counts. */
const LONGER_THAN_A_LEASE = 60;

/** The real system that is compared with the model: people who use the public API, and an application that can be restarted. */
export class SystemUnderTest {
  private constructor(
    private app: TestApp,
    private readonly database: TestDatabase,
    private readonly people: readonly Person[],
  ) {}

  static async build(people: number): Promise<SystemUnderTest> {
    const database = await createTestDatabase();
    const app = await start(database);
    const fixture = new Fixture(app);
    return new SystemUnderTest(app, database, await Promise.all(Array.from({ length: people }, () => fixture.user({ sats: 1_000 }))));
  }

  async sats(n: number): Promise<number> {
    return this.client(n).sats();
  }

  bill(n: number, sats: number): Promise<Bill> {
    return this.client(n).invoice(sats);
  }

  outsideBill(sats: number, faults: Faults): Promise<Bill> {
    return this.simulator.createOutsideInvoice({ amountMsat: BigInt(sats) * 1_000n, faults });
  }

  /** @returns the status, or the code of the refusal */
  async pay(n: number, { paymentRequest }: Bill): Promise<string> {
    const { status, errors } = (await this.client(n).pay(paymentRequest)) as { status: string; errors: { code: string }[] };
    return status === 'FAILURE' && errors[0] ? errors[0].code : status;
  }

  async payFromOutside({ paymentRequest }: Bill): Promise<string> {
    return (await this.simulator.payOutside(paymentRequest)).status;
  }

  async cancel(n: number, { paymentHash }: Bill): Promise<boolean> {
    const person = this.person(n);
    const input = { walletId: person.wallets.BTC, paymentHash };
    const { data } = await graphql(this.app.url, CANCEL, { input }, person.as('receive'));
    return data?.lnInvoiceCancel.success as boolean;
  }

  expire({ paymentHash }: Bill): Promise<void> {
    return new TimeTravel(this.app).invoice(paymentHash, 30 * 24 * 3_600);
  }

  async release({ paymentHash }: Bill, fails: boolean): Promise<void> {
    // Its payer may have received PENDING before the node was asked.
    await eventually(() => this.simulator.release(paymentHash, fails ? 'no_route' : undefined));
  }

  setAway(away: boolean): Promise<void> {
    return this.simulator.setAway(away);
  }

  async restart(): Promise<void> {
    await this.app.close();
    this.app = await start(this.database);
  }

  /** Waits until everything that can end has ended: only payments that the outside holds stay in flight. @returns what is wrong */
  async settle(held: readonly Bill[]): Promise<unknown> {
    const timeTravel = new TimeTravel(this.app);
    const hashes = held.map(({ paymentHash }) => paymentHash);
    await eventually(async () => {
      const { rows } = await this.app.pool.query<{ payment_hash: string }>(
        `SELECT payment_hash FROM payment WHERE state = 'in_flight' AND payment_hash <> ALL ($1)`,
        [hashes],
      );
      for (const { payment_hash: hash } of rows) await timeTravel.payment(hash, LONGER_THAN_A_LEASE);
      if (rows.length > 0) await this.app.get(PaymentReconciler).reconcile(new AbortController().signal);
      return rows.length === 0;
    }, 20_000);
    return violationsAtRest(this.app.pool, 10_000, hashes);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }

  private get simulator(): LightningSimulator {
    return this.app.get(LightningSimulator);
  }

  private person(n: number): Person {
    const person = this.people[n];
    if (!person) throw new Error(`There is no person ${n}`);
    return person;
  }

  private client(n: number): WalletClient {
    const person = this.person(n);
    return new WalletClient(this.app.url, person.wallets.BTC, (scope) => person.as(scope));
  }
}

const start = (database: TestDatabase): Promise<TestApp> =>
  createTestApp({ database: { ...database, drop: async () => undefined }, env: ENV });
