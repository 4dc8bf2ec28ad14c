import { dataOf, type CredentialHeaders } from './graphql.js';

export type KeyName = 'read' | 'receive' | 'write' | 'all';

const BALANCE = '{ me { defaultAccount { wallets { id balance } } } }';
const CREATE = `mutation ($input: LnInvoiceCreateInput!) { lnInvoiceCreate(input: $input) { errors { code message path } invoice { paymentRequest paymentHash } } }`;
const PAY = `mutation ($input: LnInvoicePaymentInput!) { lnInvoicePaymentSend(input: $input) { status errors { code message path } transaction { id status direction settlementAmount settlementFee } } }`;

/** A bitcoin wallet as any client uses it: over GraphQL, with the credential that it has for each scope. */
export class WalletClient {
  constructor(
    readonly url: string,
    readonly walletId: string,
    readonly as: (scope: KeyName) => CredentialHeaders,
  ) {}

  async sats(): Promise<number> {
    const { me } = await dataOf(this.url, BALANCE, {}, this.as('read'));
    const wallets = me.defaultAccount.wallets as { id: string; balance: number }[];
    return wallets.find(({ id }) => id === this.walletId)?.balance ?? NaN;
  }

  async invoice(
    sats: number,
    memo?: string,
    more?: Readonly<Record<string, unknown>>,
  ): Promise<{ paymentRequest: string; paymentHash: string }> {
    const input = { walletId: this.walletId, amount: sats, memo, ...more };
    const { lnInvoiceCreate: payload } = await dataOf(this.url, CREATE, { input }, this.as('receive'));
    if (!payload.invoice) throw new Error(JSON.stringify(payload.errors));
    return payload.invoice as { paymentRequest: string; paymentHash: string };
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests read the payload as they like
  async pay(paymentRequest: string, memo?: string): Promise<any> {
    const input = { walletId: this.walletId, paymentRequest, memo };
    const { lnInvoicePaymentSend: payload } = await dataOf(this.url, PAY, { input }, this.as('write'));
    return payload as unknown;
  }
}
