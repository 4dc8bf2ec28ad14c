import type { Faults } from '../../src/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import type { Person } from '../support/fixture.js';
import { graphql } from '../support/graphql.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { TimeTravel } from '../support/time-travel.js';
import { WalletClient } from '../support/wallet-client.js';
import type { Host } from './host.js';

export interface Invoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
}

const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { errors { code } success } }`;
/** Seconds by which payments are aged, longer than a lease, so that the node's "not found" counts. */
const LONGER_THAN_A_LEASE = 60;

/** The real system that is compared with the model: people who use the public API of what a host runs. */
export class SystemUnderTest<AnyHost extends Host = Host> {
  constructor(readonly host: AnyHost) {}

  async sats(n: number): Promise<number> {
    return this.client(n).sats();
  }

  invoice(n: number, sats: number): Promise<Invoice> {
    return this.client(n).invoice(sats);
  }

  outsideInvoice(sats: number, faults: Faults): Promise<Invoice> {
    return this.host.simulator.createOutsideInvoice({ amountMsat: BigInt(sats) * 1_000n, faults });
  }

  /** @returns the status, or the code of the refusal */
  async pay(n: number, { paymentRequest }: Invoice): Promise<string> {
    const { status, errors } = (await this.client(n).pay(paymentRequest)) as { status: string; errors: { code: string }[] };
    return status === 'FAILURE' && errors[0] ? errors[0].code : status;
  }

  async payFromOutside({ paymentRequest }: Invoice): Promise<string> {
    return (await this.host.simulator.payOutside(paymentRequest)).status;
  }

  async cancel(n: number, { paymentHash }: Invoice): Promise<boolean> {
    const person = this.person(n);
    const input = { walletId: person.wallets.BTC, paymentHash };
    const { data } = await graphql(this.host.url(n), CANCEL, { input }, person.as('receive'));
    return data?.lnInvoiceCancel.success as boolean;
  }

  expire({ paymentHash }: Invoice): Promise<void> {
    return new TimeTravel(this.host).invoice(paymentHash, 30 * 24 * 3_600);
  }

  async release({ paymentHash }: Invoice, fails: boolean): Promise<void> {
    // Its payer may have received PENDING before the node was asked.
    await eventually(() => this.host.simulator.release(paymentHash, fails ? 'no_route' : undefined));
  }

  setAway(away: boolean): Promise<void> {
    return this.host.simulator.setAway(away);
  }

  restart(): Promise<void> {
    return this.host.restart();
  }

  /** Waits until everything that can end has ended: only payments that the outside holds stay in flight. @returns what is wrong */
  async settle(held: readonly Invoice[]): Promise<unknown> {
    const timeTravel = new TimeTravel(this.host);
    const hashes = held.map(({ paymentHash }) => paymentHash);
    await eventually(async () => {
      const { rows } = await this.host.pool.query<{ payment_hash: string }>(
        `SELECT payment_hash FROM payment WHERE state = 'in_flight' AND payment_hash <> ALL ($1)`,
        [hashes],
      );
      for (const { payment_hash: hash } of rows) await timeTravel.payment(hash, LONGER_THAN_A_LEASE);
      if (rows.length > 0) await this.host.reconcile();
      return rows.length === 0;
    }, 20_000);
    return violationsAtRest(this.host.pool, 10_000, hashes);
  }

  /** The end of a payment of this hash: the node's word, or for an invoice of ours the invoice's state. */
  async isPaid({ paymentHash }: Invoice): Promise<boolean> {
    const text = `SELECT FROM simulator.payment WHERE payer = 'ours' AND payment_hash = $1 AND state = 'settled'
                  UNION ALL SELECT FROM invoice WHERE payment_hash = $1 AND state = 'paid'`;
    return (await this.host.pool.query(text, [paymentHash])).rowCount === 1;
  }

  close(): Promise<void> {
    return this.host.close();
  }

  private person(n: number): Person {
    const person = this.host.people[n];
    if (!person) throw new Error(`There is no person ${n}`);
    return person;
  }

  private client(n: number): WalletClient {
    const person = this.person(n);
    return new WalletClient(this.host.url(n), person.wallets.BTC, (scope) => person.as(scope));
  }
}
