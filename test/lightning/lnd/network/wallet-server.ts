import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { pgTypes } from '../../../../src/platform/database/index.js';
import { EmbeddedPostgres } from '../../../../src/platform/embedded-postgres/index.js';
import { paymentHashOf } from '../../../../src/platform/kernel/payment-hash.js';
import { createTestApp, eventually, TestUser, type CredentialHeaders } from '../../../../src/testing/index.js';
import { urlOf } from '../../../support/database.js';
import { ServerProcess } from '../../../support/server-process.js';
import { WalletClient, type KeyName } from '../../../support/wallet-client.js';
import { lndEnvironment } from '../lnd-environment.js';
import type { Lnd } from './lnd.js';
import type { LndNetwork } from './network.js';

/** Delays are short: a payment that may end does so within seconds, and one that must stay held has no time left that protects it. */
const IMPATIENT = {
  PAYMENT_WAIT_SECONDS: '5',
  RECONCILE_AFTER_SECONDS: '0',
  PAYMENT_LEASE_SECONDS: '5',
  PAYMENT_NOT_FOUND_HOURS: '0.001',
};
const SCOPES: Readonly<Record<KeyName, readonly [string, ...string[]]>> = {
  read: ['read'],
  receive: ['receive'],
  write: ['write'],
  all: ['read', 'receive', 'write'],
};

/** An invoice of another node, which is paid when that node says so. */
export interface HeldInvoice {
  readonly preimage: Buffer;
  readonly hash: Buffer;
  readonly paymentRequest: string;
}

/** A person's wallet, and a key for each scope. */
interface Customer {
  readonly walletId: string;
  readonly keys: ReadonlyMap<KeyName, CredentialHeaders>;
}

/** Sluice in a process of its own on a real LND node, to be killed, on a PostgreSQL that outlives it. */
export class WalletServer {
  private constructor(
    readonly server: ServerProcess,
    private readonly network: LndNetwork,
    private readonly postgres: EmbeddedPostgres,
    readonly pool: pg.Pool,
    private readonly people: ReadonlyMap<string, Customer>,
  ) {}

  /** Creates alice, with `sats` that node C has paid her, and bob, with some too; then starts the process. */
  static async start(network: LndNetwork, folder: string, sats: number): Promise<WalletServer> {
    const dataDir = join(folder, 'postgres');
    mkdirSync(dataDir);
    // Where tests run as root, PostgreSQL runs as another user, who needs access.
    for (const path of [folder, dataDir]) chmodSync(path, 0o755);
    const postgres = await EmbeddedPostgres.start({ dataDir, durable: false });
    const connection = { ...postgres.connection };
    const { SLUICE_EMBEDDED_POSTGRES: embedded = '', ...lnd } = await lndEnvironment(network.a);
    const env = { ...lnd, ...IMPATIENT, SECRET_KEY: randomBytes(32).toString('hex') };
    try {
      const people = await populate({ ...env, SLUICE_EMBEDDED_POSTGRES: embedded }, connection, network, sats);
      const server = await ServerProcess.prepare({ ...env, DATABASE_URL: urlOf({ connection, drop: () => Promise.resolve() }) });
      const pool = new pg.Pool({ ...connection, max: 2, types: pgTypes });
      pool.on('error', () => undefined);
      await server.start();
      return new WalletServer(server, network, postgres, pool, people);
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  }

  get connection(): pg.ClientConfig {
    return { ...this.postgres.connection };
  }

  /** A person as a client of this server. */
  person(name: 'alice' | 'bob'): WalletClient {
    const { walletId = '', keys } = this.people.get(name) ?? {};
    return new WalletClient(this.server.url, walletId, (scope) => keys?.get(scope) ?? {});
  }

  /** Ends Sluice as `kill -9` does. */
  async kill(): Promise<void> {
    const { signal } = await this.server.end('SIGKILL');
    if (signal !== 'SIGKILL') throw new Error(`The server had ended before, by ${signal}`);
  }

  async invoiceOfC(sats: number, more: object = {}): Promise<{ paymentRequest: string; paymentHash: string }> {
    const made = await this.network.c.call('lnrpc.Lightning/AddInvoice', { value: String(sats), ...more });
    return { paymentRequest: made['payment_request'] as string, paymentHash: (made['r_hash'] as Buffer).toString('hex') };
  }

  async holdInvoiceOfC(sats: number): Promise<HeldInvoice> {
    const preimage = randomBytes(32);
    const hash = Buffer.from(paymentHashOf(preimage.toString('hex')), 'hex');
    const made = await this.network.c.call('invoicesrpc.Invoices/AddHoldInvoice', { hash, value: String(sats), cltv_expiry: '40' });
    return { preimage, hash, paymentRequest: made['payment_request'] as string };
  }

  /** Waits until the payment is held at C. */
  async arrival({ hash }: HeldInvoice): Promise<void> {
    const { c } = this.network;
    await eventually(async () => (await c.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash: hash }))['state'] === 'ACCEPTED');
  }

  /** Channels are usable some time after their node has started: bob repeats a small payment until it arrives. */
  async untilPaymentsArrive(): Promise<void> {
    await eventually(async () => {
      const { paymentRequest } = await this.invoiceOfC(10);
      return ((await this.person('bob').pay(paymentRequest)) as { status: string }).status === 'SUCCESS';
    }, 180_000);
  }

  /** Undefined for a payment that was never begun. */
  async stateOf(paymentHash: string): Promise<string | undefined> {
    const text = 'SELECT state FROM payment WHERE payment_hash = $1 ORDER BY created_at DESC LIMIT 1';
    return (await this.pool.query<{ state: string }>(text, [paymentHash])).rows[0]?.state;
  }

  /** Whether Sluice has stored the number of the node's latest payment. */
  async hasIndexOf(node: Lnd): Promise<boolean> {
    const { last_index_offset: latest } = await node.call('lnrpc.Lightning/ListPayments', {
      include_incomplete: true,
      max_payments: '1',
      reversed: true,
    });
    return (await this.pool.query('SELECT FROM payment_node WHERE payment_index >= $1', [latest])).rowCount === 1;
  }

  async idOf(paymentHash: string): Promise<string> {
    return (await this.pool.query<{ id: string }>('SELECT id FROM payment WHERE payment_hash = $1', [paymentHash])).rows[0]?.id ?? '';
  }

  /** @returns the violated rules of the ledger, and what Sluice owes beyond what its node has received and not paid; at rest */
  async faults(): Promise<unknown[]> {
    const { rows } = await this.pool.query<{ what: string }>('SELECT what FROM ledger_audit WHERE n <> 0');
    const owedMsat = (await this.pool.query<{ owed: bigint }>('SELECT (-posted)::int8 AS owed FROM ledger_account WHERE id = -1')).rows[0]
      ?.owed;
    const hasMsat = await moneyOf(this.network.a);
    return [...rows, ...(owedMsat === hasMsat ? [] : [{ owedMsat, hasMsat }])];
  }

  async close(): Promise<void> {
    await this.server.close();
    await this.pool.end();
    await this.postgres.stop();
  }
}

/** Creates alice and bob with an application that ends then. */
async function populate(
  env: Readonly<Record<string, string>>,
  connection: pg.ClientConfig,
  { c }: LndNetwork,
  sats: number,
): Promise<ReadonlyMap<string, Customer>> {
  const app = await createTestApp({ env, connection, payFromOutside: (_app, request) => eventually(() => c.pay(request)) });
  const people = new Map<string, Customer>();
  try {
    await eventually(async () => (await fetch(`${app.url}/health/ready`)).status === 200);
    for (const [name, funds] of [['alice', sats] as const, ['bob', 1_000] as const]) {
      const user = await TestUser.create(app, { username: name, sats: funds });
      const keys = new Map<KeyName, CredentialHeaders>();
      for (const [key, scopes] of Object.entries(SCOPES)) keys.set(key as KeyName, await user.key(...scopes));
      people.set(name, { walletId: user.wallets.BTC, keys });
    }
  } finally {
    await app.close();
  }
  return people;
}

/** What a node has received for invoices, less what it has paid, with fees. */
async function moneyOf(node: Lnd): Promise<bigint> {
  const { invoices } = await node.call('lnrpc.Lightning/ListInvoices', { num_max_invoices: '1000' });
  const { payments } = await node.call('lnrpc.Lightning/ListPayments', { max_payments: '1000' });
  const received = (invoices as { state: string; amt_paid_msat: string }[]).filter(({ state }) => state === 'SETTLED');
  const paid = payments as { value_msat: string; fee_msat: string }[];
  const sum = (amounts: readonly string[]): bigint => amounts.reduce((total, amount) => total + BigInt(amount), 0n);
  return sum(received.map((invoice) => invoice.amt_paid_msat)) - sum(paid.flatMap((payment) => [payment.value_msat, payment.fee_msat]));
}
