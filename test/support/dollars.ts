import { Injectable } from '@nestjs/common';
import { PriceSource, type PriceQuote } from '../../src/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { PriceService } from '../../src/money/price/index.js';
import { createTestApp, type TestApp, type TestAppOptions } from './app.js';
import type { Fixture, Person } from './fixture.js';
import { dataOf } from './graphql.js';

/** US cents for one bitcoin, without the spread; undefined: there is no price. */
let present: bigint | undefined;

/** A price that tests move. */
@Injectable()
export class MovingPrice extends PriceSource {
  override async findQuote(): Promise<PriceQuote | undefined> {
    if (present === undefined) return undefined;
    return { centsPerBtc: present, at: new Date(), spreadPpm: 0, expiresAt: new Date(Date.now() + 600_000) };
  }
}

/** A hundredth: round numbers at `PRICE`. */
const SPREAD_BPS = '100';
export const PRICE = 5_000_000n;

export async function createDollarApp({ env, ...options }: TestAppOptions = {}): Promise<TestApp> {
  present = PRICE;
  return createTestApp({ env: { DEALER_SPREAD_BPS: SPREAD_BPS, ...env }, price: MovingPrice, ...options });
}

/** Waits until the application uses the new price. */
export async function setPrice(app: TestApp, centsPerBtc: bigint | undefined): Promise<void> {
  present = centsPerBtc;
  const prices = app.get(PriceService);
  prices.refresh();
  await eventually(() => Promise.resolve(prices.quote?.centsPerBtc === centsPerBtc));
}

const BALANCES = '{ me { defaultAccount { wallets { walletCurrency balance } } } }';
const TRANSACTION = 'transaction { id status direction settlementAmount settlementFee settlementCurrency memo }';
const PAYLOAD = `status errors { code message path } ${TRANSACTION}`;
const SEND = `mutation ($input: IntraLedgerPaymentSendInput!) { answer: intraLedgerPaymentSend(input: $input) { ${PAYLOAD} } }`;
const SEND_USD = `mutation ($input: IntraLedgerUsdPaymentSendInput!) { answer: intraLedgerUsdPaymentSend(input: $input) { ${PAYLOAD} } }`;

/** What a person has, in satoshis and cents. */
export async function fundsOf(app: TestApp, person: Person): Promise<{ readonly sats: number; readonly cents: number }> {
  const { me } = await dataOf(app.url, BALANCES, {}, person.as('read'));
  const wallets = me.defaultAccount.wallets as { walletCurrency: string; balance: number }[];
  const of = (currency: string): number => wallets.find(({ walletCurrency }) => walletCurrency === currency)?.balance ?? NaN;
  return { sats: of('BTC'), cents: of('USD') };
}

/** Sends satoshis to a wallet. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
export const sendSats = async (app: TestApp, from: Person, recipientWalletId: string, amount: unknown, more: object = {}): Promise<any> =>
  (await dataOf(app.url, SEND, { input: { walletId: from.wallets.BTC, recipientWalletId, amount, ...more } }, from.as('write'))).answer;

/** Sends cents to a wallet. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
export const sendCents = async (app: TestApp, from: Person, recipientWalletId: string, amount: unknown, more: object = {}): Promise<any> =>
  (await dataOf(app.url, SEND_USD, { input: { walletId: from.wallets.USD, recipientWalletId, amount, ...more } }, from.as('write'))).answer;

/** A person with dollars, which the dealer has sold to it. */
export async function personWithCents(fixture: Fixture, cents: number): Promise<Person> {
  const sats = Math.ceil((cents * 100_000_000) / Number((PRICE * 99n) / 100n));
  const person = await fixture.user({ sats });
  await sendSats(fixture.app, person, person.wallets.USD, sats);
  return person;
}

const INVOICE =
  '{ answer: FIELD(input: $input) { errors { code message path } invoice { paymentRequest paymentHash satoshis externalId } } }';

/** Creates an invoice for the wallet in dollars of a person, by the field and input type that are given. */
export const createInvoice = async (
  app: TestApp,
  field: 'lnUsdInvoiceCreate' | 'lnUsdInvoiceCreateOnBehalfOfRecipient' | 'lnUsdInvoiceBtcDenominatedCreateOnBehalfOfRecipient',
  recipient: Person,
  amount: unknown,
  more: object = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
): Promise<any> => {
  const isOwn = field === 'lnUsdInvoiceCreate';
  const type = `${field.charAt(0).toUpperCase()}${field.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) ${INVOICE.replace('FIELD', field)}`;
  const input = { [isOwn ? 'walletId' : 'recipientWalletId']: recipient.wallets.USD, amount, ...more };
  return (await dataOf(app.url, document, { input }, isOwn ? recipient.as('receive') : {})).answer;
};

const PAY = `mutation ($input: LnInvoicePaymentInput!) { answer: lnInvoicePaymentSend(input: $input) { ${PAYLOAD} } }`;
const PAY_CENTS = `mutation ($input: LnNoAmountUsdInvoicePaymentInput!) { answer: lnNoAmountUsdInvoicePaymentSend(input: $input) { ${PAYLOAD} } }`;

/** Pays an invoice from a person's wallet in dollars: an amount in cents for one that states none. */
export const payFromDollars = async (
  app: TestApp,
  payer: Person,
  paymentRequest: string,
  amount?: number,
  more: object = {},
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
): Promise<any> => {
  const input = { walletId: payer.wallets.USD, paymentRequest, ...(amount !== undefined && { amount }), ...more };
  return (await dataOf(app.url, amount === undefined ? PAY : PAY_CENTS, { input }, payer.as('write'))).answer;
};
