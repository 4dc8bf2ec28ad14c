import { randomBytes } from 'node:crypto';
import { ApiKeyService } from '../access/api-key/index.js';
import { RegistrationService, UserService } from '../access/user/index.js';
import { AccountService, type AccountRow } from '../money/wallet/index.js';
import { eventually } from './eventually.js';
import { dataOf, type CredentialHeaders } from './graphql.js';
import type { TestApp } from './test-app.js';
import { TestBrowser } from './test-browser.js';

export const PASSWORD = 'correct horse battery';
const CREATE = `mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { message } invoice { paymentRequest paymentHash } } }`;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { message } transaction { id } } }`;
const BALANCE = `{ me { defaultAccount { wallets { id balance } } } }`;

/** An invoice as its recipient receives it from the API. */
export interface TestInvoice {
  readonly paymentRequest: string;
  readonly paymentHash: string;
}

/** A user with an account, who does everything through the public API. */
export class TestUser {
  readonly userId: string;
  readonly accountId: string;
  readonly wallets: { readonly BTC: string; readonly USD: string };
  private readonly keys = new Map<string, Promise<CredentialHeaders>>();

  private constructor(
    private readonly app: TestApp,
    readonly username: string,
    readonly email: string,
    { id, userId, wallets }: AccountRow,
  ) {
    const idOf = (currency: string): string => wallets.find((wallet) => wallet.currency === currency)?.id ?? '';
    this.userId = userId;
    this.accountId = id;
    this.wallets = { BTC: idOf('BTC'), USD: idOf('USD') };
  }

  readonly password = PASSWORD;

  /**
   * Registers a user.
   * @param sats initial funds, paid from outside by an ordinary payment
   */
  static async create(app: TestApp, { sats = 0, username = `u${randomBytes(5).toString('hex')}` } = {}): Promise<TestUser> {
    const email = `${username}@example.test`;
    const outcome = await app.get(RegistrationService).createUser({ email, username, password: PASSWORD });
    const row = await app.get(UserService).findByEmail(email);
    if (outcome.kind !== 'created' || !row) throw new Error(`The user was not registered: ${JSON.stringify(outcome)}`);
    const user = new TestUser(app, username, email, await app.get(AccountService).getOfUser(row.id));
    if (sats > 0) await user.fund(sats);
    return user;
  }

  /** The credential of an API key with exactly these scopes, an extension's too. Created at the first call. */
  key(...scopes: readonly [string, ...string[]]): Promise<CredentialHeaders> {
    const name = scopes.toSorted().join(' ');
    const known = this.keys.get(name) ?? this.newKey(name, scopes);
    this.keys.set(name, known);
    return known;
  }

  /**
   * Signs in on the sign-in page, with a browser of its own: for pages, which accept no API key.
   * @throws Error with the page when the sign-in is refused
   */
  async signIn(): Promise<TestBrowser> {
    const browser = new TestBrowser(this.app.url);
    const page = await browser.submit(await browser.get('/login'), '/login', { email: this.email, password: this.password });
    if (page.status !== 303) throw new Error(`The sign-in was refused with ${page.status}: ${page.text}`);
    return browser;
  }

  /** The available balance of the bitcoin wallet. */
  async sats(): Promise<number> {
    interface Balance {
      readonly me: { readonly defaultAccount: { readonly wallets: readonly { readonly id: string; readonly balance: number }[] } };
    }
    const { me } = await dataOf<Balance>(this.app.url, BALANCE, {}, await this.key('read'));
    return me.defaultAccount.wallets.find(({ id }) => id === this.wallets.BTC)?.balance ?? 0;
  }

  /** An invoice that pays into the bitcoin wallet. */
  async invoice(sats: number, memo?: string): Promise<TestInvoice> {
    interface Created {
      readonly lnInvoiceCreate: { readonly invoice: TestInvoice | null };
    }
    const input = { walletId: this.wallets.BTC, amount: sats, memo };
    const { lnInvoiceCreate: payload } = await dataOf<Created>(this.app.url, CREATE, { input }, await this.key('receive'));
    if (!payload.invoice) throw new Error(`The invoice was not created: ${JSON.stringify(payload)}`);
    return payload.invoice;
  }

  /**
   * Pays an invoice from the bitcoin wallet.
   * @returns the id of the transaction
   * @throws Error with the payload when the payment did not settle at once
   */
  async pay({ paymentRequest }: Pick<TestInvoice, 'paymentRequest'>): Promise<string> {
    interface Sent {
      readonly lnInvoicePaymentSend: { readonly status: string; readonly transaction: { readonly id: string } | null };
    }
    const input = { walletId: this.wallets.BTC, paymentRequest };
    const { lnInvoicePaymentSend: payload } = await dataOf<Sent>(this.app.url, PAY, { input }, await this.key('write', 'read'));
    if (payload.status !== 'SUCCESS' || !payload.transaction) throw new Error(`Not paid: ${JSON.stringify(payload)}`);
    return payload.transaction.id;
  }

  /** Pays this user from outside, and waits until the payment has arrived. */
  async fund(sats: number, memo?: string): Promise<void> {
    const before = await this.sats();
    const { paymentRequest } = await this.invoice(sats, memo);
    await this.app.payFromOutside(paymentRequest);
    await eventually(async () => (await this.sats()) >= before + sats);
  }

  private async newKey(name: string, scopes: readonly string[]): Promise<CredentialHeaders> {
    const keys = this.app.get(ApiKeyService);
    const made = await keys.create({ userId: this.userId, name, scopes, expireInDays: keys.rules.maxDays });
    if (made.kind !== 'created') throw new Error(`The key was not created: ${JSON.stringify(made)}`);
    return { 'x-api-key': made.secret };
  }
}
