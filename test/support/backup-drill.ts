import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Events } from '../../src/platform/events/index.js';
import { sql } from '../../src/platform/database/index.js';
import { LedgerService } from '../../src/money/ledger/index.js';
import { ReconciliationService } from '../../src/operator/reconciliation/index.js';
import { dataOf, eventually, TestUser } from '../../src/testing/index.js';
import { CERTIFICATE, LndDouble, MACAROON } from '../lightning/lnd/lnd-double.js';
import { lndEnvironment } from '../lightning/lnd/lnd-environment.js';
import { createTestApp, type TestApp } from './app.js';

const MSAT = 1_000n;
const PEOPLE = 4;
/** Between a person's payments: the machine also runs the commands. */
const PAUSE_MS = 250;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code } } }`;
const NOTE = sql`INSERT INTO consumed (key) VALUES ($1)`;
const QUICK = { PAYMENT_WAIT_SECONDS: '1', RECONCILE_AFTER_SECONDS: '0', LIGHTNING_CALL_SECONDS: '5' };

export interface Sent {
  readonly status: string;
  readonly errors: readonly { readonly code: string }[];
}

/** A server with a node of its own, under load: what a backup must be taken of, and what happens after it. */
export class BackupDrill {
  readonly node = new LndDouble();
  private readonly apps: TestApp[] = [];
  private env: Record<string, string> = {};
  private isBusy = false;
  private workers: Promise<void>[] = [];
  /** Payments and receipts that the load has ended. */
  done = 0;

  /** Starts the node, and a server with people who have money on the database. */
  async begin(connection: pg.ClientConfig): Promise<{ readonly app: TestApp; readonly people: readonly TestUser[] }> {
    await this.node.start();
    this.env = await lndEnvironment({ address: this.node.address, certificate: CERTIFICATE, macaroon: MACAROON });
    const app = await this.open(connection);
    await app.pool.query('CREATE TABLE consumed (n bigint GENERATED ALWAYS AS IDENTITY, key text NOT NULL)');
    this.consume(app);
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => TestUser.create(app, { sats: 50_000 })));
    return { app, people };
  }

  /** Another server of the same node and people, on another database. */
  async open(connection: pg.ClientConfig): Promise<TestApp> {
    const app = await createTestApp({
      env: { ...this.env, ...QUICK },
      database: { connection, drop: async () => undefined },
      payFromOutside: async (_app, request) => this.node.payFromOutside(request),
    });
    this.apps.push(app);
    return app;
  }

  /** The people pay each other and the outside, and are paid from there, until `rest`. */
  load(people: readonly TestUser[]): void {
    this.isBusy = true;
    this.workers = people.map((self, n) => this.live(self, people[(n + 1) % people.length] ?? self));
  }

  async rest(): Promise<void> {
    this.isBusy = false;
    await Promise.all(this.workers);
  }

  /** Waits until the load has ended this many more payments. */
  async more(count: number): Promise<void> {
    const until = this.done + count;
    await eventually(() => this.done >= until);
  }

  private async live(self: TestUser, other: TestUser): Promise<void> {
    while (this.isBusy) {
      await this.pay(self, this.node.invoiceOfOther(7n * MSAT));
      await this.pay(self, (await other.invoice(5)).paymentRequest);
      this.node.payFromOutside((await self.invoice(9)).paymentRequest);
      this.done += 3;
      await delay(PAUSE_MS);
    }
  }

  /** Asks again while the payment is in flight: on a busy machine it may last longer than its caller waits. */
  private async pay(payer: TestUser, paymentRequest: string): Promise<void> {
    const [app] = this.apps;
    await eventually(async () => {
      const { status, errors } = await send(app as TestApp, payer, paymentRequest);
      if (status === 'FAILURE') throw new Error(`Not paid: ${JSON.stringify(errors)}`);
      return status === 'SUCCESS' || status === 'ALREADY_PAID';
    });
  }

  /** The hashes of the node's payments. */
  sentByNode(): string[] {
    return [...this.node.hashes()];
  }

  /** How often a server has asked the node to pay. */
  asked(): number {
    return this.node.calls.filter((call) => call === 'routerrpc.Router/SendPaymentV2').length;
  }

  /** Ends a server. */
  async end(app: TestApp): Promise<void> {
    this.apps.splice(this.apps.indexOf(app), 1);
    await app.close();
  }

  consume(app: TestApp): void {
    app.get(Events).consume('drill', 'invoice.changed', async (_event, tx, key) => void (await tx.query(NOTE, [key])), 'oldest');
  }

  async close(): Promise<void> {
    this.isBusy = false;
    await Promise.allSettled(this.workers);
    for (const app of this.apps.splice(0)) await app.close();
    this.node.stop();
  }
}

/** Pays an invoice by the API. */
export async function send(app: TestApp, payer: TestUser, paymentRequest: string): Promise<Sent> {
  const input = { walletId: payer.wallets.BTC, paymentRequest };
  const { lnInvoicePaymentSend } = await dataOf<{ lnInvoicePaymentSend: Sent }>(app.url, PAY, { input }, await payer.key('write'));
  return lnInvoicePaymentSend;
}

export const publish = (app: TestApp, key: string): Promise<unknown> =>
  app.pool.query(`SELECT event_add(ARRAY['invoice.changed'], ARRAY[$1], ARRAY['{}'::jsonb])`, [key]);

export const consumedOf = async ({ pool }: TestApp, keys: readonly string[]): Promise<string[]> =>
  (await pool.query<{ key: string }>('SELECT key FROM consumed WHERE key = ANY ($1) ORDER BY n', [keys])).rows.map(({ key }) => key);

/** How often a payment of the node was credited. */
export async function creditsOf({ pool }: TestApp, paymentHash: string): Promise<number> {
  const { rows } = await pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM transaction WHERE payment_hash = $1 AND direction = 'RECEIVE'`,
    [paymentHash],
  );
  return rows[0]?.n ?? 0;
}

export async function stateOf({ pool }: TestApp, paymentHash: string): Promise<string | undefined> {
  return (await pool.query<{ state: string }>('SELECT state FROM payment WHERE payment_hash = $1', [paymentHash])).rows[0]?.state;
}

/** Every finding of the audits: of the whole history, and of what is new. */
export async function auditsOf(app: TestApp): Promise<unknown[]> {
  const ledger = app.get(LedgerService);
  return [...(await app.audit()), ...(await ledger.audit()), ...(await ledger.auditNew()), ...(await ledger.auditNew())];
}

export const compare = (app: TestApp): Promise<string> => app.get(ReconciliationService).compare();
