import * as view from './views.js';
import { dollars } from '../../../src/edge/page/index.js';
import { dashboard, DEPOSITS, sample, sats, shell, type Sample } from './sample.js';
import { invoiceModel, transactionModel, walletModel } from './wallet.js';

const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
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
  feeMsat: null,
  paymentRequest: null,
  paymentHash: null,
  preimage: null,
  chain: { address: ADDRESS, output: OUTPUT, explorerUrl: `https://explorer.example/tx/${TXID}` },
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
];
