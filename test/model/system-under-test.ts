import type { Faults } from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { PASSWORD, type Person } from '../support/fixture.js';
import { dataOf, graphql, type CredentialHeaders } from '../support/graphql.js';
import { violationsAtRest } from '../support/ledger-invariants.js';
import { TimeTravel } from '../support/time-travel.js';
import { WalletClient } from '../support/wallet-client.js';
import type { Host } from './host.js';
import { BUDGET_SATS } from './model.js';

export interface Invoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
}

const CANCEL = `mutation ($input: LnInvoiceCancelInput!) { lnInvoiceCancel(input: $input) { errors { code } success } }`;
const SENT = '{ status errors { code } }';
const PAY_OPEN = `mutation ($input: LnNoAmountInvoicePaymentInput!) { answer: lnNoAmountInvoicePaymentSend(input: $input) ${SENT} }`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { answer: intraLedgerPaymentSend(input: $input) ${SENT} }`;
const PAY_ADDRESS = `mutation ($input: LnAddressPaymentSendInput!) { answer: lnAddressPaymentSend(input: $input) ${SENT} }`;
const INVOICE = '{ errors { code message } invoice { paymentRequest paymentHash } }';
const CREATE_OPEN = `mutation ($input: LnNoAmountInvoiceCreateInput!) { answer: lnNoAmountInvoiceCreate(input: $input) ${INVOICE} }`;
const CREATE_FOR = `mutation ($input: LnInvoiceCreateOnBehalfOfRecipientInput!) { answer: lnInvoiceCreateOnBehalfOfRecipient(input: $input) ${INVOICE} }`;
const PROBE = 'mutation ($input: LnInvoiceFeeProbeInput!) { answer: lnInvoiceFeeProbe(input: $input) { amount errors { code } } }';
const DOMAIN = '{ globals { lightningAddressDomain } }';
const CREATE_KEY = 'mutation { apiKeyCreate(input: { name: "limited", scopes: [WRITE] }) { apiKeySecret apiKey { id } } }';
const LIMIT_KEY = 'mutation ($input: ApiKeySetLimitInput!) { apiKeySetLimit(input: $input) { apiKey { id } } }';
/** Seconds by which payments are aged, longer than a lease, so that the node's "not found" counts. */
const LONGER_THAN_A_LEASE = 60;

interface Sent {
  readonly status: string;
  readonly errors: readonly { readonly code: string }[];
}
const saidBy = ({ status, errors }: Sent): string => (status === 'FAILURE' && errors[0] ? errors[0].code : status);

async function signIn(url: string, email: string): Promise<CredentialHeaders> {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  const { result } = (await response.json()) as { result: { authToken: string } };
  return { authorization: `Bearer ${result.authToken}` };
}

/** The real system that is compared with the model: people who use the public API of what a host runs. */
export class SystemUnderTest<AnyHost extends Host = Host> {
  private readonly limitedKeys = new Map<number, CredentialHeaders>();

  constructor(readonly host: AnyHost) {}

  /** From now on the budgets of limited keys are whole again: the next payment by one is by a new key. */
  renewLimitedKeys(): void {
    this.limitedKeys.clear();
  }

  async sats(n: number): Promise<number> {
    return this.client(n).sats();
  }

  invoice(n: number, sats: number): Promise<Invoice> {
    return this.client(n).invoice(sats);
  }

  /** Without an amount. */
  openInvoice(n: number): Promise<Invoice> {
    return this.created(n, CREATE_OPEN, { walletId: this.person(n).wallets.BTC }, this.person(n).as('receive'));
  }

  /** Made by a caller without a credential. */
  invoiceFor(n: number, sats: number): Promise<Invoice> {
    return this.created(n, CREATE_FOR, { recipientWalletId: this.person(n).wallets.BTC, amount: sats }, {});
  }

  /** @param sats null: the payer chooses the amount */
  outsideInvoice(sats: number | null, faults: Faults): Promise<Invoice> {
    return this.host.simulator.createOutsideInvoice({ amountMsat: sats === null ? null : BigInt(sats) * 1_000n, faults });
  }

  /** @param chosenSats for an invoice without an amount @returns the status, or the code of the refusal */
  async pay(n: number, { paymentRequest }: Invoice, chosenSats?: number): Promise<string> {
    if (chosenSats !== undefined) return this.send(n, PAY_OPEN, { paymentRequest, amount: chosenSats });
    return saidBy((await this.client(n).pay(paymentRequest)) as Sent);
  }

  /** From wallet to wallet. @param isLimited by the key with a budget */
  async sendTo(n: number, recipient: number, sats: number, isLimited = false): Promise<string> {
    const input = { recipientWalletId: this.person(recipient).wallets.BTC, amount: sats };
    return this.send(n, SEND, input, isLimited ? await this.limitedKey(n) : undefined);
  }

  /** To the Lightning address of a person. */
  async payAddress(n: number, recipient: number, sats: number): Promise<string> {
    const { data } = await graphql(this.host.url(n), DOMAIN);
    const lnAddress = `${this.person(recipient).username}@${data?.globals.lightningAddressDomain as string}`;
    return this.send(n, PAY_ADDRESS, { lnAddress, amount: sats });
  }

  /** The fee of a payment of this invoice, in satoshis. */
  async probeFee(n: number, { paymentRequest }: Invoice): Promise<number | null> {
    const input = { walletId: this.person(n).wallets.BTC, paymentRequest };
    const { data } = await graphql(this.host.url(n), PROBE, { input }, this.person(n).as('read'));
    return data?.answer.amount as number | null;
  }

  async payFromOutside({ paymentRequest }: Invoice, chosenSats?: number): Promise<string> {
    const amount = chosenSats === undefined ? {} : { amountMsat: BigInt(chosenSats) * 1_000n };
    return (await this.host.simulator.payOutside(paymentRequest, amount)).status;
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
    });
    return violationsAtRest(this.host.pool, hashes);
  }

  /** Waits until the node has a payment of this hash. */
  async isSent({ paymentHash }: Invoice): Promise<void> {
    const text = `SELECT FROM simulator.payment WHERE payer = 'ours' AND payment_hash = $1`;
    await eventually(async () => (await this.host.pool.query(text, [paymentHash])).rowCount === 1);
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

  private async send(n: number, document: string, input: object, credential?: CredentialHeaders): Promise<string> {
    const person = this.person(n);
    const variables = { input: { walletId: person.wallets.BTC, ...input } };
    return saidBy((await dataOf(this.host.url(n), document, variables, credential ?? person.as('write'))).answer as Sent);
  }

  private async created(n: number, document: string, input: object, credential: CredentialHeaders): Promise<Invoice> {
    const { answer } = await dataOf(this.host.url(n), document, { input }, credential);
    if (!answer.invoice) throw new Error(JSON.stringify(answer.errors));
    return answer.invoice as Invoice;
  }

  /** A key of this person that may spend `BUDGET_SATS`, made by a session at the first call. */
  private async limitedKey(n: number): Promise<CredentialHeaders> {
    const known = this.limitedKeys.get(n);
    if (known) return known;
    const url = this.host.url(n);
    const session = await signIn(url, this.person(n).email);
    const { apiKeyCreate: made } = await dataOf(url, CREATE_KEY, {}, session);
    const input = { id: made.apiKey.id as string, limitTimeWindow: 'DAILY', limitSats: BUDGET_SATS };
    await dataOf(url, LIMIT_KEY, { input }, session);
    const key = { 'x-api-key': made.apiKeySecret as string };
    this.limitedKeys.set(n, key);
    return key;
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
