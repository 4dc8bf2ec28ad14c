import * as view from './views.js';
import { lnurlOf } from '../../../src/money/lnurl/lnurl-text.js';
import { bitcoin, displayMoney, dollars, html, soon } from '../../../src/edge/page/index.js';
import type { PaymentApprovalEntity } from '../../../src/money/payment/index.js';
import type { AccountLimitState, LimitAmount } from '../../../src/money/wallet/index.js';
import { activity, at, dashboard, HOSTILE, hostilePayment, ID, PAYMENTS, sample, sats, shell, type Sample } from './sample.js';

const HASH = '9f2c1e7ab04d5583c6e1f0927db8a4410f6c35e2d1987ab3346c0e5f7a21bd90';
const PREIMAGE = '41d0c7e8823b6f95a07e21cc58d394b60e9f7a12b8d3456cf0a9e87d1263b5f4';
/** Of the examples of BOLT 11: its payee is in its signature. */
const READABLE =
  'lnbc1pvjluezsp5zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zyg3zygspp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdpl2pkx2ctnv5sxxmmwwd5kgetjypeh2ursdae8g6twvus8g6rfwvs8qun0dfjkxaq9qrsgq357wnc5r2ueh7ck6q93dj32dlqnls087fxdwk8qakdyafkq3yap9us6v52vjjsrvywa6rt52cm9r9zqt8r2t7mlcwspyetp5h2tztugp9lfyql';
const INVOICE = `lnbcrt42u1p5vwfe2${'ucftf4ljwflhmxqq87mehjlmm4sa8a2zyu4gnyvd0vr6z0dxh47p0p204nzc3kx3jtvj477h3x4yt7jhwlsqvhslg4ngt2zhptcz'.repeat(3)}`;

const LONG_HOST = `${'very-long-host-name.'.repeat(4)}example`;
const lnurl = (username: string, host: string): string => lnurlOf(`https://${host}/.well-known/lnurlp/${username}`).toUpperCase();

export const walletModel: view.WalletModel = {
  frame: { ...shell, events: '/dashboard/events' },
  bitcoin: { amount: sats(1_184_250), about: dollars(72_523), held: sats(21_210) },
  dollar: { amount: dollars(25_000), about: sats(408_230), held: null },
  activity,
  hasSource: true,
  hasLimits: true,
  username: 'alice',
};
const poor: Pick<view.WalletModel, 'bitcoin' | 'dollar' | 'activity'> = {
  bitcoin: { amount: sats(0), about: dollars(0), held: null },
  dollar: null,
  activity: [],
};

const wallet: readonly Sample[] = [
  sample('wallet', dashboard, view.walletPage(walletModel)),
  sample(
    'wallet-with-extension',
    dashboard,
    view.walletPage({ ...walletModel, frame: { ...shell, menu: [{ href: '/tips', label: 'Tips' }] } }),
  ),
  sample('wallet-empty', dashboard, view.walletPage({ ...walletModel, ...poor })),
  sample(
    'wallet-hostile',
    dashboard,
    view.walletPage({
      ...walletModel,
      frame: { ...shell, email: `${'a'.repeat(200)}@example.test`, host: `${'very-long-host-name.'.repeat(4)}example` },
      bitcoin: { amount: sats(2_100_000_000_000_000), about: dollars(9_999_999_999), held: sats(2_100_000_000) },
      activity: Object.values(HOSTILE).map(hostilePayment),
      username: 'a'.repeat(50),
    }),
  ),
];

const receiveModel: view.ReceiveModel = {
  frame: shell,
  form: view.emptyReceiveForm,
  username: 'alice',
  lnurl: lnurl('alice', 'wallet.example'),
  hasSource: true,
  hasPrice: true,
  hasAddresses: true,
};
const typed = { amount: '4,200', unit: 'sats', memo: 'Two flat whites', wallet: 'BTC', errors: {} } as const;

const receive: readonly Sample[] = [
  sample('receive', dashboard, view.receivePage(receiveModel)),
  sample('receive-no-price', dashboard, view.receivePage({ ...receiveModel, hasPrice: false })),
  sample(
    'receive-error',
    dashboard,
    view.receivePage({
      ...receiveModel,
      form: {
        ...typed,
        amount: '1.000',
        errors: {
          amount: 'Did you mean 1,000 sats or 1 sat? Enter 1000 or 1.',
          memo: 'Use at most 639 bytes: shorten the text or remove emoji.',
        },
      },
    }),
    422,
  ),
  sample(
    'receive-long-address',
    dashboard,
    view.receivePage({
      ...receiveModel,
      frame: { ...shell, host: LONG_HOST },
      username: 'a'.repeat(50),
      lnurl: lnurl('a'.repeat(50), LONG_HOST),
    }),
  ),
];

export const invoiceModel: view.InvoiceModel = {
  frame: { ...shell, events: '/dashboard/events' },
  paymentHash: HASH,
  paymentRequest: INVOICE,
  wallet: 'BTC',
  amount: sats(4_200),
  about: dollars(257),
  memo: 'Two flat whites',
  expiresAt: at('2026-11-21T09:41:00Z'),
  state: { kind: 'waiting' },
  username: 'alice',
  sats: 4_200,
  address: null,
  deposits: [],
  newBalance: null,
};
const paid: view.ReceiveState = {
  kind: 'paid',
  amount: sats(4_200),
  about: dollars(257),
  at: at('2026-11-21T08:45:11Z'),
  balance: sats(1_188_450),
  transactionId: ID,
};

const invoice: readonly Sample[] = [
  sample('invoice', dashboard, view.invoicePage(invoiceModel)),
  sample('invoice-no-memo', dashboard, view.invoicePage({ ...invoiceModel, memo: null })),
  sample('invoice-paid', dashboard, view.invoicePage({ ...invoiceModel, state: paid })),
  sample('invoice-dollars', dashboard, view.invoicePage({ ...invoiceModel, wallet: 'USD', amount: dollars(2_000), about: sats(32_653) })),
  sample('invoice-closing', dashboard, view.invoicePage({ ...invoiceModel, state: { kind: 'closing' } })),
  sample('invoice-expired', dashboard, view.invoicePage({ ...invoiceModel, state: { kind: 'expired' } })),
  sample('invoice-cancelled', dashboard, view.invoicePage({ ...invoiceModel, memo: null, state: { kind: 'cancelled' } })),
];

const NO_FILTER = { state: 'all', wallet: 'all', text: '', from: '', until: '' } as const;
const historyModel: view.HistoryModel = {
  filter: NO_FILTER,
  hasDollars: false,
  frame: shell,
  activity: [...activity, ...activity],
  olderHref: '/dashboard/history?before=c',
  newerHref: null,
};

const invoices: view.InvoicesModel = {
  frame: shell,
  olderHref: '/dashboard/receive/invoices?after=c',
  newerHref: null,
  invoices: (['waiting', 'closing', 'paid', 'expired', 'cancelled'] as const).map((state, index) => ({
    paymentHash: HASH,
    memo: index % 2 === 0 ? 'Two flat whites' : null,
    amount: index === 3 ? null : index === 4 ? dollars(2_000) : sats(4_200 * (index + 1)),
    createdAt: at('2026-11-20T15:20:11Z'),
    state,
  })),
};

const history: readonly Sample[] = [
  sample('invoices', dashboard, view.invoicesPage(invoices)),
  sample('invoices-empty', dashboard, view.invoicesPage({ ...invoices, invoices: [], olderHref: null })),
  sample(
    'invoices-hostile',
    dashboard,
    view.invoicesPage({
      ...invoices,
      invoices: Object.values(HOSTILE).map((memo) => ({
        paymentHash: HASH,
        memo,
        amount: sats(21_000_000),
        createdAt: at('2026-11-20T15:20:11Z'),
        state: 'waiting',
      })),
    }),
  ),
  sample(
    'history-filtered',
    dashboard,
    view.historyPage({ ...historyModel, filter: { ...NO_FILTER, state: 'sent', wallet: 'BTC', text: 'bakery' }, hasDollars: true }),
  ),
  sample(
    'history-none-found',
    dashboard,
    view.historyPage({ ...historyModel, activity: [], olderHref: null, filter: { ...NO_FILTER, text: 'zzz' } }),
  ),
  sample('history', dashboard, view.historyPage(historyModel)),
  sample('history-middle', dashboard, view.historyPage({ ...historyModel, newerHref: '/dashboard/history?after=c' })),
  sample('history-empty', dashboard, view.historyPage({ ...historyModel, activity: [], olderHref: null })),
];

export const transactionModel: view.TransactionModel = {
  frame: shell,
  activity: PAYMENTS.byApp,
  amount: sats(4_200),
  exchange: null,
  fee: bitcoin(512n),
  held: null,
  about: dollars(257),
  wallet: 'BTC',
  username: 'alice',
  paymentRequest: INVOICE,
  paymentHash: HASH,
  preimage: PREIMAGE,
  depositFee: null,
  chain: null,
};
const APPROVAL = { id: ID, state: 'waiting', expiresAt: at('2026-11-21T10:30:00Z') } as PaymentApprovalEntity;
const APPROVALS: Readonly<Record<string, PaymentApprovalEntity>> = {
  'to-approve': APPROVAL,
  'to-approve-nameless': APPROVAL,
  approved: { ...APPROVAL, state: 'approved' },
  'approval-expired': { ...APPROVAL, expiresAt: at('2026-11-21T07:30:00Z') },
};
const transaction: readonly Sample[] = [
  sample('transaction', dashboard, view.transactionPage(transactionModel)),
  sample(
    'transaction-to-a-node',
    dashboard,
    view.transactionPage({ ...transactionModel, activity: { ...PAYMENTS.byKey, party: null }, paymentRequest: READABLE }),
  ),
  sample(
    'transaction-by-key',
    dashboard,
    view.transactionPage({
      ...transactionModel,
      activity: PAYMENTS.byKey,
      amount: sats(31_850),
      fee: bitcoin(0n),
    }),
  ),
  sample(
    'transaction-conversion',
    dashboard,
    view.transactionPage({
      ...transactionModel,
      activity: PAYMENTS.conversion,
      amount: PAYMENTS.conversion.amount,
      exchange: { gave: sats(12_344), got: PAYMENTS.conversion.amount, price: dollars(4_950_000) },
      fee: null,
      wallet: 'USD',
      paymentHash: null,
      preimage: null,
    }),
  ),
  sample(
    'transaction-received',
    dashboard,
    view.transactionPage({
      ...transactionModel,
      activity: PAYMENTS.received,
      amount: sats(50_000),
      fee: null,
      about: dollars(3_062),
      paymentHash: null,
      preimage: null,
    }),
  ),
  sample(
    'transaction-pending',
    dashboard,
    view.transactionPage({
      ...transactionModel,
      frame: { ...shell, events: '/dashboard/events' },
      activity: PAYMENTS.pending,
      amount: sats(21_000),
      fee: null,
      held: sats(21_210),
      preimage: null,
    }),
  ),
  ...Object.entries(APPROVALS).map(([name, approval]) =>
    sample(
      `transaction-${name}`,
      dashboard,
      view.transactionPage({
        ...transactionModel,
        activity: {
          ...PAYMENTS.pending,
          by: name === 'to-approve' ? PAYMENTS.byKey.by : null,
          approvalUntil: approval.expiresAt,
        },
        approval,
        amount: sats(21_000),
        fee: null,
        held: sats(21_210),
        preimage: null,
      }),
    ),
  ),
  sample(
    'transaction-failed',
    dashboard,
    view.transactionPage({ ...transactionModel, activity: PAYMENTS.failed, amount: sats(15_000), fee: null, preimage: null }),
  ),
  ...Object.entries(HOSTILE).map(([name, text]) =>
    sample(
      `transaction-hostile-${name}`,
      dashboard,
      view.transactionPage({ ...transactionModel, activity: hostilePayment(text), preimage: null }),
    ),
  ),
];

/** Money: overview, receiving, history. */
const sendForm: view.SendForm = { to: 'bob', amount: '4,200', unit: 'sats', memo: 'Two flat whites', wallet: 'BTC' };
export const reviewModel: view.ReviewModel = {
  frame: shell,
  order: 'c2VhbGVk'.repeat(100),
  target: { kind: 'invoice', paymentRequest: INVOICE, address: null, description: 'Table 7' },
  currency: 'BTC',
  amount: 4_200_000n,
  stated: null,
  about: displayMoney('EUR', '2.37'),
  totalAbout: displayMoney('EUR', '2.39'),
  fee: 3_000n,
  feeLimit: 42_000n,
  hasNoRoute: false,
  left: 1_180_008_000n,
  isPossible: true,
  memo: 'Two flat whites',
  error: null,
  speeds: [],
};

const LIMITS_LEFT = [
  html`You can send up to 1,326,367 sats ($812.39) today. Limit resets from ${soon(new Date('2026-11-21T16:20:00Z'), shell)}.`,
  html`You can’t send more to users of this server today. Limit resets from ${soon(new Date('2026-11-22T09:41:00Z'), shell)}.`,
];

const BITCOIN = { currency: 'BTC', balance: sats(1_184_250), about: dollars(72_523) } as const;
const DOLLARS = { currency: 'USD', balance: dollars(25_000), about: null } as const;
export const sendModel: view.SendModel = {
  frame: shell,
  form: view.emptySendForm,
  limits: [],
  wallets: [BITCOIN],
  hasSource: true,
  hasPrice: true,
  hasChain: true,
};
const send: readonly Sample[] = [
  sample('send', dashboard, view.sendPage(sendModel)),
  sample('send-wallets', dashboard, view.sendPage({ ...sendModel, wallets: [{ ...BITCOIN, about: null }, DOLLARS] })),
  sample('send-limited', dashboard, view.sendPage({ ...sendModel, limits: LIMITS_LEFT })),
  sample('send-no-price', dashboard, view.sendPage({ ...sendModel, form: { ...sendForm, amount: '5', unit: 'USD' }, hasPrice: false })),
  sample(
    'send-error',
    dashboard,
    view.sendPage({
      ...sendModel,
      form: {
        ...sendForm,
        to: INVOICE,
        fault: { field: 'to', text: 'You have paid this invoice.', paidBy: ID },
      },
    }),
    422,
  ),
  sample(
    'send-beyond-limit',
    dashboard,
    view.sendPage({
      ...sendModel,
      limits: LIMITS_LEFT.slice(1),
      form: {
        ...sendForm,
        fault: {
          field: 'amount',
          text: html`This payment exceeds what your account may send to other wallets in 24 hours. You can send up to 1,326,367 sats
          ($812.39) today. Limit resets from ${soon(new Date('2026-11-21T16:20:00Z'), shell)}.`,
          flow: 'withdrawal',
        },
      },
    }),
    422,
  ),
  sample('send-over', dashboard, view.sendPage({ ...sendModel, form: { ...sendForm, ended: 'over' } }), 410),
  sample('send-unknown', dashboard, view.sendPage({ ...sendModel, form: { ...view.emptySendForm, ended: 'unknown' } }), 410),
  sample('review', dashboard, view.reviewPage(reviewModel)),
  sample(
    'review-user',
    dashboard,
    view.reviewPage({
      ...reviewModel,
      target: { kind: 'wallet', walletId: ID, username: 'bob' },
      fee: 0n,
      feeLimit: 0n,
      memo: '',
    }),
  ),
  sample(
    'review-dollars',
    dashboard,
    view.reviewPage({
      ...reviewModel,
      currency: 'USD',
      amount: 257n,
      about: sats(4_200),
      totalAbout: null,
      fee: 1n,
      feeLimit: 3n,
      left: 24_740n,
    }),
  ),
  sample('review-price-moved', dashboard, view.reviewPage({ ...reviewModel, fee: 0n, feeLimit: 0n, stated: 4_187_000n })),
  sample('review-no-route', dashboard, view.reviewPage({ ...reviewModel, fee: 42_000n, hasNoRoute: true })),
  sample(
    'review-refused',
    dashboard,
    view.reviewPage({ ...reviewModel, isPossible: false, error: 'This invoice has expired. Ask for another one.' }),
    422,
  ),
  sample(
    'review-short',
    dashboard,
    view.reviewPage({
      ...reviewModel,
      left: -1_000n,
      isPossible: false,
      error: 'Your balance does not cover the amount and the network fee.',
    }),
    422,
  ),
  ...Object.entries(HOSTILE).map(([name, text]) =>
    sample(
      `review-hostile-${name}`,
      dashboard,
      view.reviewPage({
        ...reviewModel,
        target: { kind: 'invoice', paymentRequest: INVOICE, address: text, description: text },
        amount: 21_000_000_000n,
        memo: text,
      }),
    ),
  ),
];

const convertModel: view.ConvertModel = {
  frame: shell,
  form: view.emptyConvertForm,
  bitcoin: bitcoin(1_184_250_000n),
  bitcoinAbout: displayMoney('EUR', '669.10'),
  dollar: dollars(12_050),
  dollarAbout: displayMoney('EUR', '111.16'),
  limits: LIMITS_LEFT.slice(0, 1),
  hasPrice: true,
};
const conversionModel: view.ConversionModel = {
  frame: shell,
  order: 'c2VhbGVk'.repeat(40),
  from: 'BTC',
  gives: bitcoin(100_000_000n),
  gets: dollars(6_112),
  givesAbout: displayMoney('JPY', '9260'),
  rateCents: 6_112_750n,
  marketCents: 6_125_000n,
  left: bitcoin(1_084_250_000n),
  isPossible: true,
  error: null,
};

const convert: readonly Sample[] = [
  sample('convert', dashboard, view.convertPage(convertModel)),
  sample('convert-no-price', dashboard, view.convertPage({ ...convertModel, bitcoinAbout: null, dollarAbout: null, hasPrice: false })),
  sample(
    'convert-error',
    dashboard,
    view.convertPage({
      ...convertModel,
      form: { amount: '500', unit: 'USD', fault: { text: 'Your US dollar wallet has $120.50. Enter no more than that.' } },
    }),
    422,
  ),
  sample(
    'convert-beyond-limit',
    dashboard,
    view.convertPage({
      ...convertModel,
      limits: [],
      form: {
        amount: '300,000',
        unit: 'sats',
        fault: {
          text: html`This exceeds what your account may convert in 24 hours. You can convert up to 81,632 sats ($50.00) today.`,
          flow: 'convert',
        },
      },
    }),
    422,
  ),
  sample('convert-over', dashboard, view.convertPage({ ...convertModel, form: { amount: '20', unit: 'USD', ended: 'over' } }), 410),
  sample('convert-unknown', dashboard, view.convertPage({ ...convertModel, form: { ...view.emptyConvertForm, ended: 'unknown' } }), 410),
  sample('conversion', dashboard, view.conversionPage(conversionModel)),
  sample(
    'conversion-dollars',
    dashboard,
    view.conversionPage({
      ...conversionModel,
      from: 'USD',
      gives: dollars(2_000),
      gets: bitcoin(32_588_000n),
      rateCents: 6_125_000n,
      left: dollars(10_050),
    }),
  ),
  sample(
    'conversion-worse',
    dashboard,
    view.conversionPage({
      ...conversionModel,
      marketCents: null,
      error: 'The price has changed: you would get less than you have seen. Check the new amount, and confirm again.',
    }),
    422,
  ),
  sample(
    'conversion-no-price',
    dashboard,
    view.conversionPage({
      ...conversionModel,
      rateCents: null,
      marketCents: null,
      isPossible: false,
      error: 'There is no price of dollars now. Try again later.',
    }),
    422,
  ),
];

const limitAmount = (cents: number): LimitAmount => ({ cents, sats: Math.floor((cents * 100_000_000) / 6_125_000) });
const limitState = (flow: 'withdrawal' | 'internal_send' | 'convert', limitCents: number, spentCents: number): AccountLimitState => ({
  flow,
  limit: limitAmount(limitCents),
  spent: limitAmount(spentCents),
  left: limitAmount(Math.max(0, limitCents - spentCents)),
  nextFreeAt: spentCents > 0 ? at('2026-11-21T16:20:00Z') : null,
  allFreeAt: spentCents > 0 ? at(flow === 'convert' ? '2026-11-21T16:20:00Z' : '2026-11-22T07:41:00Z') : null,
});
const accountModel: view.AccountModel = {
  frame: shell,
  resetLimit: null,
  limits: [limitState('withdrawal', 100_000, 18_760), limitState('internal_send', 200_000, 200_001), limitState('convert', 5_000_000, 0)],
  hasSource: true,
  hasPrice: true,
  profile: { username: 'alice', usernameFreeAt: null, language: 'pt-BR', defaultWallet: 'BTC' },
  currency: 'EUR',
  currencies: [
    { id: 'USD', name: 'US Dollar' },
    { id: 'EUR', name: 'Euro' },
    { id: 'BAM', name: 'Bosnia-Herzegovina Convertible Mark' },
  ],
};
const account: readonly Sample[] = [
  sample('account-delete', dashboard, view.deletionPage(shell, null)),
  sample('account-delete-refused', dashboard, view.deletionPage(shell, 'not_empty'), 422),
  sample(
    'account',
    dashboard,
    view.accountPage({
      ...accountModel,
      saved: 'username',
      limits: [limitState('convert', 5_000_000, 100)],
      profile: { ...accountModel.profile, usernameFreeAt: at('2027-02-18T00:00:00Z') },
    }),
  ),
  sample(
    'account-no-limits',
    dashboard,
    view.accountPage({ ...accountModel, limits: [], currency: 'USD', currencies: accountModel.currencies.slice(0, 1) }),
  ),
  sample(
    'account-after-reset',
    dashboard,
    view.accountPage({ ...accountModel, resetLimit: { until: at('2026-11-22T08:00:00Z'), msat: 100_000_000n } }),
  ),
  sample('account-no-price', dashboard, view.accountPage({ ...accountModel, hasPrice: false, currencies: [] })),
  sample(
    'account-error',
    dashboard,
    view.accountPage({
      ...accountModel,
      hasFault: true,
      usernameFault: { typed: 'admin', text: 'This name is reserved. Choose another.' },
    }),
    422,
  ),
];

export const WALLET_SAMPLES: readonly Sample[] = [
  ...wallet,
  ...account,
  ...receive,
  ...send,
  ...convert,
  ...invoice,
  ...history,
  ...transaction,
];
