import { decodeInvoice, type LIGHTNING_CAPABILITIES, type InvoiceState, type LightningBackend } from '../../src/money/lightning/index.js';
import { refuses, type Mutant } from './mutants.js';

const STATED = 'the node states the version of the port, and capabilities with which Sluice can work';
const CREATE = 'invoices are created once for a preimage';
const CANCEL = 'invoices are open until cancelled, and cannot be paid afterwards';
const PAID = 'invoices are settled once paid, and can then neither be cancelled nor paid again';
const LESS = 'invoices are not settled by less than they ask';
const NOT_FOUND = 'invoices that were never created are not found';
const STREAM = 'settlements are streamed from the cursor on, in order, past ones and new ones';
const PROBE = 'fee probes say what the cheapest route costs, and send nothing';
const NO_ROUTE = 'fee probes find no route that costs more than the limit, none that leads nowhere, and none for another amount';
const NO_CONNECTION = 'faults without a connection: every answer is unknown, no call rejects, and a payment is not sent later';

type Cancelled = Awaited<ReturnType<LightningBackend['cancelInvoice']>>;
/** Changes what cancelling answers. */
const cancelling = (change: (answer: Cancelled) => Cancelled) => (backend: LightningBackend) => ({
  cancelInvoice: async (paymentHash: string) => change(await backend.cancelInvoice(paymentHash)),
});
const found = (change: (state: InvoiceState) => InvoiceState) => (backend: LightningBackend) => ({
  lookupInvoice: async (paymentHash: string) => change(await backend.lookupInvoice(paymentHash)),
});
const capabilities = (...names: (keyof typeof LIGHTNING_CAPABILITIES)[]) => ({ capabilities: new Set(names) });

/** Changes the times of the settlements that it streams. */
const settledAt = (change: (settledAt: Date) => Date) => (backend: LightningBackend) => ({
  async *invoiceSettlements(afterIndex: bigint, signal: AbortSignal) {
    for await (const each of backend.invoiceSettlements(afterIndex, signal)) yield { ...each, settledAt: change(each.settledAt) };
  },
});

const MUTANTS: readonly Mutant[] = [
  ['was made for another version', STATED, () => ({ portVersion: 2 as never })],
  ['cannot stream settlements from a cursor', STATED, () => capabilities('own_preimage')],
  ['lists payments that it does not number', STATED, () => capabilities('own_preimage', 'settle_index', 'payment_list')],
  ['does what it says it cannot do', PROBE, () => capabilities('own_preimage', 'settle_index')],
  ['says it can do what it cannot', PROBE, () => ({ probeFee: async () => ({ status: 'unsupported' }) })],
  [
    'makes a second invoice for a preimage',
    CREATE,
    (backend) => {
      const first = new Map<string, ReturnType<LightningBackend['createInvoice']>>();
      const createInvoice: LightningBackend['createInvoice'] = (request) => {
        const made = first.get(request.preimage) ?? backend.createInvoice(request);
        first.set(request.preimage, made);
        return made;
      };
      return { createInvoice };
    },
  ],
  ['says cancelled without cancelling', CANCEL, () => ({ cancelInvoice: async () => 'cancelled' })],
  ['calls a cancelled one open', CANCEL, found((state) => (state.status === 'cancelled' ? { status: 'open', paymentRequest: '' } : state))],
  ['calls a settled one cancelled', PAID, cancelling((answer) => (answer === 'settled' ? 'cancelled' : answer))],
  ['cancels what it never made', NOT_FOUND, cancelling((answer) => (answer === 'not_found' ? 'cancelled' : answer))],
  ['says cancelled while it does not know', NO_CONNECTION, cancelling((answer) => (answer === 'unknown' ? 'cancelled' : answer))],
  [
    'calls open what it cannot look up',
    NO_CONNECTION,
    found((state) => (state.status === 'unknown' ? { status: 'open', paymentRequest: '' } : state)),
  ],
  [
    'looks up another settle index than it streams',
    STREAM,
    found((state) => (state.status === 'settled' ? { ...state, settleIndex: state.settleIndex + 1n } : state)),
  ],
  ['streams the time of the call as that of the settlement', STREAM, settledAt(() => new Date())],
  ['streams the second of the call as that of the settlement', STREAM, settledAt(() => new Date(Math.floor(Date.now() / 1000) * 1000))],
  ['streams seconds as milliseconds', STREAM, settledAt((time) => new Date(time.getTime() / 1000))],
  ['streams milliseconds as seconds', STREAM, settledAt((time) => new Date(time.getTime() * 1000))],
  [
    'is settled by less than it asked',
    LESS,
    found((state) => (state.status === 'open' ? { status: 'settled', settleIndex: 1n, amountMsat: 1n } : state)),
  ],
  ['finds a route to nowhere', NO_ROUTE, () => ({ probeFee: async () => ({ status: 'known', feeMsat: 0n }) })],
  [
    'probes without the limit',
    NO_ROUTE,
    (backend) => ({ probeFee: (request) => backend.probeFee({ ...request, feeLimitMsat: 10n ** 12n }) }),
  ],
  ['finds no route to anywhere', PROBE, () => ({ probeFee: async () => ({ status: 'no_route' }) })],
  [
    'probes by paying',
    PROBE,
    (backend) => ({
      probeFee: async (request) => {
        const probed = await backend.probeFee(request);
        const decoded = decodeInvoice(request.paymentRequest);
        if (decoded.ok) await backend.pay({ ...request, paymentHash: decoded.invoice.paymentHash, timeoutSeconds: 10 });
        return probed;
      },
    }),
  ],
  [
    'finds no route while it does not know',
    NO_CONNECTION,
    (backend) => ({
      probeFee: async (request) => {
        const probed = await backend.probeFee(request);
        return probed.status === 'unknown' ? { status: 'no_route' } : probed;
      },
    }),
  ],
];

describe('the contract of Lightning back ends refuses one with invoices and fee probes that', () => refuses(MUTANTS));
