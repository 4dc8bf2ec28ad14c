import type pg from 'pg';
import { LightningSimulator } from '../../src/money/lightning/index.js';
import { PaymentReconciler } from '../../src/money/payment/end/payment.reconciler.js';
import { createTestApp, type TestApp } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { Fixture, type Person } from '../support/fixture.js';

/** Random steps come faster than people do. */
export const UNTHROTTLED = {
  THROTTLE_ADDRESS: '1000000/60',
  THROTTLE_PRINCIPAL: '1000000/60',
  THROTTLE_ACCOUNT: '1000000/60',
  THROTTLE_ANONYMOUS_INVOICE: '1000000/60',
  THROTTLE_INVOICE_RECIPIENT: '1000000/60',
  THROTTLE_LNURL_PAYMENT: '1000000/60',
  THROTTLE_SIGN_IN_ADDRESS: '1000000/60',
};
export const UNTHROTTLED_SETTINGS = {
  RateLimitSettings: {
    apiKey: '1000000/60',
    eventCost: '100000000/60',
    anonymousInvoiceFirst: '1000000/60',
    anonymousInvoiceAll: '1000000/60',
  },
};
export const ENV = {
  PAYMENT_WAIT_SECONDS: '1',
  RECONCILE_AFTER_SECONDS: '0',
  ...UNTHROTTLED,
};

/** What runs the system that is compared with the model. */
export interface Host {
  readonly pool: pg.Pool;
  readonly simulator: LightningSimulator;
  readonly people: readonly Person[];
  /** The address at which a person calls. */
  url(person: number): string;
  /** Asks the node about payments in flight, or waits for a round that does. */
  reconcile(): Promise<void>;
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** One application in the process of the test. */
export class OneApplication implements Host {
  private constructor(
    private app: TestApp,
    private readonly database: TestDatabase,
    readonly people: readonly Person[],
  ) {}

  static async start(people: number, sats: number): Promise<OneApplication> {
    const database = await createTestDatabase();
    const app = await open(database);
    const fixture = new Fixture(app);
    return new OneApplication(app, database, await Promise.all(Array.from({ length: people }, () => fixture.user({ sats }))));
  }

  get pool(): pg.Pool {
    return this.app.pool;
  }

  get simulator(): LightningSimulator {
    return this.app.get(LightningSimulator);
  }

  url(): string {
    return this.app.url;
  }

  async reconcile(): Promise<void> {
    await this.app.get(PaymentReconciler).reconcile(new AbortController().signal);
  }

  async restart(): Promise<void> {
    await this.app.close();
    this.app = await open(this.database);
  }

  async close(): Promise<void> {
    await this.app.close();
    await this.database.drop();
  }
}

const open = (database: TestDatabase): Promise<TestApp> =>
  createTestApp({ database: { ...database, drop: async () => undefined }, env: ENV, settings: UNTHROTTLED_SETTINGS });
