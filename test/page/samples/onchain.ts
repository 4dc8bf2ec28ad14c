import * as view from './views.js';
import { bitcoin, dollars } from '../../../src/edge/page/index.js';
import { ADDRESS, dashboard, DEPOSITS, ID, PAYOUTS, PAYMENTS, sample, sats, shell, type Sample } from './sample.js';
import { invoiceModel, reviewModel, sendModel, transactionModel, walletModel } from './wallet.js';

const TXID = 'd1f5a3c9e7b8042f6d3a1c5e9b7f4d2a8c6e0b1f3d5a7c9e2b4f6d8a0c1e3b5f';
const OUTPUT = `${TXID}:1`;

const address: view.AddressModel = { address: ADDRESS, terms: { kind: 'amount', sats: 4_200, confirmations: 2, feeSats: 2_500 } };
const freeOf = (sats: number, confirmations: number): view.AddressModel => ({
  address: ADDRESS,
  terms: { kind: 'amount', sats, confirmations, feeSats: 0 },
});
const ANY = { kind: 'any', bounds: [1_000_000, 10_000_000], confirmations: [2, 3, 6], feeSats: 2_500, freeAboveSats: 1_000_000 } as const;
const chainModel: view.InvoiceModel = { ...invoiceModel, address };
const depositModel: view.TransactionModel = {
  ...transactionModel,
  frame: { ...shell, events: '/dashboard/events' },
  activity: DEPOSITS.confirming,
  amount: sats(50_000),
  about: dollars(3_062),
  fee: null,
  paymentRequest: null,
  paymentHash: null,
  preimage: null,
  chain: { address: ADDRESS, output: OUTPUT, explorerUrl: `https://explorer.example/tx/${TXID}` },
};

const target = { kind: 'address', address: ADDRESS, description: null, speed: 'MEDIUM' } as const;
const speed = (name: 'FAST' | 'MEDIUM' | 'SLOW', fee: bigint, isPossible = true): view.SpeedChoice => ({
  speed: name,
  order: `c2VhbGVk${name}`,
  feeLimit: fee * 1_000n,
  total: (40_000n + fee) * 1_000n,
  isPossible,
});
const payoutReview: view.ReviewModel = {
  ...reviewModel,
  target,
  amount: 40_000_000n,
  about: dollars(2_450),
  memo: '',
  speeds: [speed('FAST', 8_825n), speed('MEDIUM', 6_530n), speed('SLOW', 5_192n)],
};
const payoutModel: view.TransactionModel = {
  ...depositModel,
  activity: PAYOUTS.queued,
  amount: sats(40_000),
  held: sats(48_825),
  chain: { address: ADDRESS, output: null, explorerUrl: null },
};

/** Payments to bitcoin addresses. */
export const ONCHAIN_SAMPLES: readonly Sample[] = [
  sample('wallet-deposits', dashboard, view.walletPage({ ...walletModel, activity: Object.values(DEPOSITS) })),
  sample('invoice-no-address', dashboard, view.invoicePage({ ...invoiceModel, address: { ...address, address: null } })),
  sample('invoice-address', dashboard, view.invoicePage(chainModel)),
  sample(
    'invoice-address-large',
    dashboard,
    view.invoicePage({ ...chainModel, amount: sats(2_000_000), sats: 2_000_000, about: null, address: freeOf(2_000_000, 1) }),
  ),
  sample(
    'invoice-address-any-amount',
    dashboard,
    view.invoicePage({ ...chainModel, amount: null, sats: null, about: null, address: { ...address, terms: ANY } }),
  ),
  sample(
    'invoice-address-one-tier',
    dashboard,
    view.invoicePage({
      ...chainModel,
      amount: null,
      sats: null,
      about: null,
      address: { ...address, terms: { ...ANY, bounds: [], confirmations: [1], feeSats: 0 } },
    }),
  ),
  sample(
    'invoice-address-dollars',
    dashboard,
    view.invoicePage({ ...chainModel, wallet: 'USD', amount: dollars(2_000), about: sats(32_653), sats: 32_653 }),
  ),
  ...(['seen', 'confirming', 'waiting', 'gone', 'failed', 'held'] as const).map((phase) =>
    sample(`invoice-deposit-${phase}`, dashboard, view.invoicePage({ ...chainModel, deposits: [DEPOSITS[phase]] })),
  ),
  sample(
    'invoice-deposit-credited',
    dashboard,
    view.invoicePage({ ...chainModel, deposits: [DEPOSITS.credited], newBalance: sats(1_231_750) }),
  ),
  sample(
    'invoice-expired-deposit',
    dashboard,
    view.invoicePage({
      ...chainModel,
      state: { kind: 'expired' },
      deposits: [DEPOSITS.confirming, DEPOSITS.credited],
      newBalance: sats(1_231_750),
    }),
  ),
  ...Object.entries(DEPOSITS).map(([phase, payment]) =>
    sample(
      `transaction-deposit-${phase}`,
      dashboard,
      view.transactionPage({
        ...depositModel,
        activity: payment,
        amount: phase === 'waiting' ? sats(2_000) : sats(50_000),
        depositFee: payment.state === 'received' ? sats(2_500) : null,
      }),
    ),
  ),
  sample(
    'transaction-deposit-no-explorer',
    dashboard,
    view.transactionPage({ ...depositModel, chain: { address: ADDRESS, output: OUTPUT, explorerUrl: null } }),
  ),
  sample('wallet-payouts', dashboard, view.walletPage({ ...walletModel, activity: Object.values(PAYOUTS) })),
  sample('send-no-chain', dashboard, view.sendPage({ ...sendModel, hasChain: false })),
  sample('review-address', dashboard, view.reviewPage(payoutReview)),
  sample(
    'review-address-described',
    dashboard,
    view.reviewPage({ ...payoutReview, target: { ...target, description: 'Tea House: Table 7' }, memo: 'Two flat whites' }),
  ),
  sample(
    'review-address-short',
    dashboard,
    view.reviewPage({ ...payoutReview, speeds: [speed('FAST', 8_825n, false), speed('MEDIUM', 6_530n), speed('SLOW', 5_192n)] }),
  ),
  sample(
    'review-address-dearer',
    dashboard,
    view.reviewPage({
      ...payoutReview,
      error: 'The network fee has risen: this costs more than you have seen. Check the new fee, and confirm again.',
    }),
    422,
  ),
  sample('review-address-inside', dashboard, view.reviewPage({ ...payoutReview, speeds: [], fee: 0n, feeLimit: 0n })),
  sample(
    'review-address-refused',
    dashboard,
    view.reviewPage({
      ...payoutReview,
      speeds: [],
      fee: 0n,
      feeLimit: 0n,
      isPossible: false,
      error: 'This server has too few bitcoin on chain for this payment now. Try again later.',
    }),
    422,
  ),
  ...(['queued', 'batched', 'broadcast'] as const).map((state) =>
    sample(
      `transaction-payout-${state}`,
      dashboard,
      view.transactionPage({
        ...payoutModel,
        activity: PAYOUTS[state],
        ...(state === 'broadcast' && { chain: depositModel.chain }),
      }),
    ),
  ),
  sample(
    'transaction-payout-confirmed',
    dashboard,
    view.transactionPage({ ...payoutModel, activity: PAYOUTS.confirmed, held: null, fee: bitcoin(8_060_000n), chain: depositModel.chain }),
  ),
  sample('transaction-payout-cancelled', dashboard, view.transactionPage({ ...payoutModel, activity: PAYOUTS.cancelled, held: null })),
  sample(
    'transaction-address-inside',
    dashboard,
    view.transactionPage({
      ...payoutModel,
      activity: { ...PAYMENTS.received, memo: null, party: null, address: ADDRESS, id: ID },
      held: null,
    }),
  ),
];
