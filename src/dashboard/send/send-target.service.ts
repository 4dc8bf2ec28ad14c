import { Injectable } from '@nestjs/common';
import { REFUSALS, type PayoutSpeed } from '../../money/payment/index.js';
import { bitcoinTextIn, type BitcoinFault, type BitcoinText } from './bitcoin-text.js';
import { Config } from '../../platform/config/index.js';
import { inAnyCase, USERNAME } from '../../platform/kernel/form.js';
import { pastedText } from '../../platform/kernel/pasted-text.js';
import { msatOfSats, satsCeil, type Msat } from '../../platform/kernel/money.js';
import { decodeInvoice } from '../../money/lightning/index.js';
import { isOwnDomain, LnurlInvoiceService, urlOfLnurl, type LnurlPayer } from '../../money/lnurl/index.js';
import { bitcoin, html, moneyText, untrustedText, type Html } from '../../edge/page/index.js';
import { DealerService, wholeMsatOf } from '../../money/price/index.js';
import { RateLimiter } from '../../edge/rate-limit/index.js';
import { AccountService, type AccountFlow, type Currency } from '../../money/wallet/index.js';
import { centsToSend, satsToSend, type TypedAmount } from '../activity/amount.js';

/** The address of the review page contains it. */
const MAX_CHARACTERS = 2_500;
const MAX_REASON = 200;
const ANY_USERNAME = inAnyCase(USERNAME);

export interface TypedSend extends TypedAmount {
  readonly to: string;
  readonly memo: string;
  /** The wallet that pays. */
  readonly wallet: Currency;
}

/** What the recipient gets; and the cents that were chosen, from a wallet in dollars. */
interface ChosenAmount {
  readonly amountMsat: Msat;
  readonly amountCents?: number;
}

/** The payee: a wallet of this server, an invoice, or a bitcoin address. */
export type SendTarget =
  | { readonly kind: 'wallet'; readonly walletId: string; readonly username: string }
  | { readonly kind: 'address'; readonly address: string; readonly description: string | null; readonly speed: PayoutSpeed }
  | {
      readonly kind: 'invoice';
      readonly paymentRequest: string;
      readonly address: string | null;
      readonly description: string | null;
      /** It states none. */
      readonly isAmountChosen?: boolean;
    };

export interface FoundTarget extends ChosenAmount {
  readonly kind: 'found';
  readonly target: SendTarget;
}
export interface SendFault {
  readonly kind: 'fault';
  readonly field: 'to' | 'amount' | 'memo';
  readonly text: Html | string;
  readonly flow?: AccountFlow;
  readonly paidBy?: string;
}

const fault = (field: SendFault['field'], text: Html | string): SendFault => ({ kind: 'fault', field, text });

const INSTEAD = 'ask the recipient for an invoice or a Lightning address.';
/** A username may begin like any of them, so that these count once no user has the name. */
const SENTENCES: readonly (readonly [RegExp, string])[] = [
  [/^ln[oir]1/i, `This is a BOLT 12 offer. This server can’t pay offers: ${INSTEAD}`],
  [/^lnurl1/i, 'This LNURL can’t be read. Copy it again.'],
  [/^ln(?:bc|tb)[a-z]{0,2}\d*[munp]?1/i, 'This invoice can’t be read. Copy it again.'],
];
const CHAIN_FAULTS: Readonly<Record<BitcoinFault, string>> = {
  invalid_address: REFUSALS.invalid_address.page,
  address_of_other_network: REFUSALS.address_of_other_network.page,
  invalid_amount: 'The amount in this bitcoin text can’t be read. Copy it again.',
  unsupported: 'This bitcoin text requires something that this server doesn’t know. Ask the recipient for another one.',
};

/** Finds out who is to be paid, and how much. For a Lightning address elsewhere it requests the invoice, which moves no money. */
@Injectable()
export class SendTargetService {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountService,
    private readonly lnurl: LnurlInvoiceService,
    private readonly dealer: DealerService,
    private readonly limiter: RateLimiter,
  ) {}

  async find(payer: LnurlPayer, typed: TypedSend): Promise<FoundTarget | SendFault> {
    const to = pastedText(typed.to);
    if (to === '' || typed.to.length > MAX_CHARACTERS) return this.unpayable('');
    // Before usernames: no one may be paid who has an address of another person as a name.
    const chain = bitcoinTextIn(to, this.config.network);
    if (typeof chain === 'object') return this.addressOf(chain, typed);
    const username = this.usernameIn(to);
    if (username !== undefined) return this.walletOf(payer.userId, username, to, typed);
    if (to.includes('@') || /^(lnurl|https?:)/i.test(to)) return this.requested(payer, to, typed);
    return this.invoiceIn(to, typed);
  }

  private unpayable(to: string, otherwise = 'Enter an invoice, a username of this server or a Lightning address.'): SendFault {
    const chain = bitcoinTextIn(to, this.config.network);
    return fault('to', typeof chain === 'string' ? CHAIN_FAULTS[chain] : (SENTENCES.find(([form]) => form.test(to))?.[1] ?? otherwise));
  }

  private addressOf({ address, description, sats }: BitcoinText, typed: TypedSend): FoundTarget | SendFault {
    const isStated = sats !== null;
    if (isStated && typed.amount.trim() !== '')
      return fault('amount', `The recipient asks for ${moneyText(bitcoin(msatOfSats(sats)))}. Leave this field empty.`);
    if (!isStated && typed.amount.trim() === '') return fault('amount', 'A bitcoin address states no amount. Enter one.');
    const amount = this.chosenBy(isStated ? { ...typed, amount: String(sats), unit: 'sats' } : typed);
    if (typeof amount === 'string') return fault('amount', amount);
    return { kind: 'found', target: { kind: 'address', address, description, speed: 'SLOW' }, ...amount };
  }

  private usernameIn(to: string): string | undefined {
    // A short LNURL has the form of a username: its checksum decides.
    if (/^lnurl1/i.test(to) && urlOfLnurl(to)) return undefined;
    const [local = '', host, ...more] = to.split('@');
    const name = host === undefined ? local : local.replace(/\+.*/, '');
    if (!ANY_USERNAME.test(name) || more.length > 0) return undefined;
    return host === undefined || isOwnDomain(this.config, host.toLowerCase()) ? name.toLowerCase() : undefined;
  }

  private async walletOf(userId: string, username: string, to: string, typed: TypedSend): Promise<FoundTarget | SendFault> {
    const wallet = await this.accounts.findDefaultWallet(username, 'BTC');
    if (!wallet) return this.unpayable(to, 'No user of this server has this name.');
    const { wallets } = await this.accounts.getOfUser(userId);
    if (wallets.some(({ id }) => id === wallet.id)) return fault('to', 'This is you. Enter another recipient.');
    const amount = this.chosenBy(typed);
    if (typeof amount === 'string') return fault('amount', amount);
    return { kind: 'found', target: { kind: 'wallet', walletId: wallet.id, username: wallet.username }, ...amount };
  }

  private chosenBy(typed: TypedSend): ChosenAmount | string {
    const { ask } = this.dealer.rate;
    const minor = typed.wallet === 'USD' ? centsToSend(typed, ask) : satsToSend(typed, this.dealer.centsPerBtc);
    if (typeof minor === 'string') return minor;
    if (typed.wallet === 'BTC' || ask === null) return { amountMsat: msatOfSats(minor) };
    return { amountMsat: wholeMsatOf(minor, ask), amountCents: Number(minor) };
  }

  private async requested(payer: LnurlPayer, to: string, typed: TypedSend): Promise<FoundTarget | SendFault> {
    const url = urlOfLnurl(to);
    if (!url) return this.unpayable(to);
    // The service is asked for satoshis: those that were typed need no price.
    const amount = this.chosenBy(typed.unit === 'sats' ? { ...typed, wallet: 'BTC' } : typed);
    if (typeof amount === 'string') return fault('amount', amount);
    const { amountMsat } = amount;
    const { isBlocked } = await this.limiter.consume('lnurlPayment', payer.userId);
    if (isBlocked) return fault('to', 'You have asked for many invoices in a short time. Nothing was sent. Try again in a minute.');
    const answer = await this.lnurl.request(url, satsCeil(amountMsat), payer);
    if (answer.kind === 'out_of_bounds') return fault('amount', 'The recipient does not accept this amount. Nothing was sent.');
    if (answer.kind === 'failed' && /[^\s\p{C}]/u.test(answer.reason ?? ''))
      return fault('to', html`The recipient’s server refused: ${untrustedText(answer.reason ?? '', MAX_REASON)} Nothing was sent.`);
    if (answer.kind === 'busy' || answer.kind === 'unavailable')
      return fault('to', 'Invoices are temporarily unavailable. Nothing was sent. Please try again.');
    if (answer.kind !== 'invoice')
      return fault('to', 'The recipient’s server did not return an invoice. Nothing was sent. Check the address, or try again later.');
    const { paymentRequest } = answer;
    return { kind: 'found', target: { kind: 'invoice', paymentRequest, address: to, description: null }, amountMsat };
  }

  private invoiceIn(to: string, typed: TypedSend): FoundTarget | SendFault {
    const decoded = decodeInvoice(to);
    if (!decoded.ok) return this.unpayable(to);
    const { amountMsat, paymentRequest, description } = decoded.invoice;
    const target = { kind: 'invoice', paymentRequest, address: null, description: description || null } as const;
    if (amountMsat !== null) {
      if (typed.amount.trim() === '') return { kind: 'found', target, amountMsat };
      return fault('amount', `This invoice states its amount, ${moneyText(bitcoin(amountMsat))}. Leave this field empty.`);
    }
    if (typed.amount.trim() === '') return fault('amount', 'This invoice states no amount. Enter one.');
    const amount = this.chosenBy(typed);
    if (typeof amount === 'string') return fault('amount', amount);
    return { kind: 'found', target: { ...target, isAmountChosen: true }, ...amount };
  }
}
