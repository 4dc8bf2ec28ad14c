import { decodeInvoice, type LIGHTNING_CAPABILITIES, type InvoiceState, type LightningBackend } from '../../src/money/lightning/index.js';
import { refuses, type Mutant } from './mutants.js';

const STATED = 'the node states the version of the port, and capabilities with which Sluice can work';
const CREATE = 'hold invoices are created for a payment hash, once';
const SETTLE = 'hold invoices keep a payment waiting until they are settled, and are then reported on the stream';
const CANCEL = 'hold invoices give a payment back when they are cancelled, and are then not settled';
const EARLY = 'hold invoices settle no payment that arrives after the call, and none of an amount that has not arrived';
const NOT_FOUND = 'hold invoices that were never created are not found';
const CUT_OFF = 'hold invoices are unknown without a connection, and the payment waits for the repeated call';
const LESS = 'invoices are not settled by less than they ask';
const PROBE = 'fee probes say what the cheapest route costs, and send nothing';
const NO_ROUTE = 'fee probes find no route that costs more than the limit, none that leads nowhere, and none for another amount';
const NO_CONNECTION = 'faults without a connection: every answer is unknown, no call rejects, and a payment is not sent later';

type Settle = LightningBackend['settleHoldInvoice'];
/** Changes what settling answers. */
const settling = (change: (answer: Awaited<ReturnType<Settle>>) => Awaited<ReturnType<Settle>>) => (backend: LightningBackend) => ({
  settleHoldInvoice: async (preimage: string) => change(await backend.settleHoldInvoice(preimage)),
});
const found = (change: (state: InvoiceState) => InvoiceState) => (backend: LightningBackend) => ({
  lookupInvoice: async (paymentHash: string) => change(await backend.lookupInvoice(paymentHash)),
});
const capabilities = (...names: (keyof typeof LIGHTNING_CAPABILITIES)[]) => ({ capabilities: new Set(names) });

const MUTANTS: readonly Mutant[] = [
  ['was made for another version', STATED, () => ({ portVersion: 2 as never })],
  ['cannot stream settlements from a cursor', STATED, () => capabilities('own_preimage')],
  ['has hold invoices that nothing cancels', STATED, () => capabilities('own_preimage', 'settle_index', 'hold_invoice')],
  ['lists payments that it does not number', STATED, () => capabilities('own_preimage', 'settle_index', 'payment_list')],
  ['does what it says it cannot do', SETTLE, () => capabilities('own_preimage', 'settle_index')],
  ['says it can do what it cannot', SETTLE, settling(() => 'unsupported')],
  [
    'makes a second hold invoice for a hash',
    CREATE,
    (backend) => {
      const first = new Map<string, ReturnType<LightningBackend['createHoldInvoice']>>();
      const createHoldInvoice: LightningBackend['createHoldInvoice'] = (request) => {
        const made = first.get(request.paymentHash) ?? backend.createHoldInvoice(request);
        first.set(request.paymentHash, made);
        return made;
      };
      return { createHoldInvoice };
    },
  ],
  ['says settled without settling', SETTLE, () => ({ settleHoldInvoice: async () => 'settled' })],
  [
    'calls settled what only waits',
    SETTLE,
    found((state) => (state.status === 'accepted' ? { ...state, status: 'settled', settleIndex: 1n } : state)),
  ],
  [
    'settles once, and then does not know the invoice',
    SETTLE,
    (backend) => {
      const settled = new Set<string>();
      return {
        settleHoldInvoice: async (preimage) => {
          if (settled.has(preimage)) return 'not_found';
          settled.add(preimage);
          return backend.settleHoldInvoice(preimage);
        },
      };
    },
  ],
  [
    'settles without a settle index',
    SETTLE,
    found((state) => (state.status === 'settled' ? { ...state, settleIndex: state.settleIndex + 1n } : state)),
  ],
  ['says cancelled without cancelling', CANCEL, () => ({ cancelInvoice: async () => 'cancelled' })],
  ['calls a cancelled one open', CANCEL, found((state) => (state.status === 'cancelled' ? { status: 'open', paymentRequest: '' } : state))],
  ['calls a cancelled one settled', CANCEL, settling((answer) => (answer === 'cancelled' ? 'settled' : answer))],
  [
    'calls a settled one cancelled',
    SETTLE,
    (backend) => ({ cancelInvoice: async (hash) => (await backend.cancelInvoice(hash), 'cancelled') }),
  ],
  [
    'settles later what it could not settle at once',
    EARLY,
    (backend) => {
      let early: string | undefined;
      return {
        settleHoldInvoice: async (preimage) => {
          early = preimage;
          return backend.settleHoldInvoice(preimage);
        },
        lookupInvoice: async (paymentHash) => {
          const state = await backend.lookupInvoice(paymentHash);
          if (early === undefined || state.status !== 'accepted') return state;
          await backend.settleHoldInvoice(early);
          return backend.lookupInvoice(paymentHash);
        },
      };
    },
  ],
  ['says settled before anything has arrived', EARLY, settling((answer) => (answer === 'not_accepted' ? 'settled' : answer))],
  [
    'reports what the invoice asks instead of what has arrived',
    EARLY,
    found((state) => (state.status === 'accepted' ? { ...state, amountMsat: 0n } : state)),
  ],
  ['settles what it never made', NOT_FOUND, settling((answer) => (answer === 'not_found' ? 'settled' : answer))],
  ['says settled while it does not know', CUT_OFF, settling((answer) => (answer === 'unknown' ? 'settled' : answer))],
  ['says that nothing waits while it does not know', CUT_OFF, settling((answer) => (answer === 'unknown' ? 'not_accepted' : answer))],
  [
    'says cancelled while it does not know',
    CUT_OFF,
    (backend) => ({
      cancelInvoice: async (hash) => {
        const answer = await backend.cancelInvoice(hash);
        return answer === 'unknown' ? 'cancelled' : answer;
      },
    }),
  ],
  [
    'calls open what it cannot look up',
    CUT_OFF,
    found((state) => (state.status === 'unknown' ? { status: 'open', paymentRequest: '' } : state)),
  ],
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

describe('the contract of Lightning back ends refuses one with hold invoices and fee probes that', () => refuses(MUTANTS));
