import {
  decodeInvoice,
  type LightningBackend,
  type PaymentIndex,
  type PaymentStatus,
  type PayResult,
} from '../../src/money/lightning/index.js';
import { eventually } from '../../src/testing/eventually.js';
import { refuses, type Mutant } from './mutants.js';

const COUNT = 'payments count: the index grows with every payment that the node begins, and never decreases';
const IN_FLIGHT = 'payments are in flight only at a node that has them, and never at one to which they were not sent';
const SETTLE = 'payments settle with the preimage, for a fee within the limit';
const CUT_OFF = 'faults without a connection: every answer is unknown, no call rejects, and a payment is not sent later';
const SLOW = 'faults in flight longer than the caller waits: unknown to the caller, in flight to a look-up, and sent once';
const BROKEN = 'faults cut off in the middle of a payment: unknown to the caller, and in flight as soon as the node answers again';
const AMOUNT = 'payments pay the amount of the invoice, and no other';
const LIST = 'payments are listed after an index, page by page, with their ends and in order';
const EXPENSIVE = 'faults a route that costs more than the limit: no route, and nothing is paid';

const BLOCK = 'the node reports its latest block as numbers and hex, or not at all';

/** Changes what the node says of its latest block. */
const atBlock = (block: object) => (backend: LightningBackend) => ({
  info: async () => ({ ...(await backend.info()), ...block }),
});
/** Changes what look-ups answer. */
const lookingUp = (change: (found: PaymentStatus) => PaymentStatus) => (backend: LightningBackend) => ({
  lookupPayment: async (paymentHash: string) => change(await backend.lookupPayment(paymentHash)),
});
/** Changes what `pay` answers. */
const paying = (change: (answer: PayResult) => PayResult) => (backend: LightningBackend) => ({
  pay: async (request: Parameters<LightningBackend['pay']>[0]) => change(await backend.pay(request)),
});
const failed = { status: 'failed', reason: 'timeout' } as const;

const MUTANTS: readonly Mutant[] = [
  ['reports the height of its block as a bigint', BLOCK, atBlock({ blockHeight: 7n })],
  ['reports no block as null', BLOCK, atBlock({ blockHash: null })],
  ['reports the bytes of the hash of its block in base64', BLOCK, atBlock({ blockHash: Buffer.alloc(32).toString('base64') })],
  ['never increases its payment index', COUNT, () => ({ latestPaymentIndex: async () => 7n })],
  ['counts down', COUNT, (backend) => ({ latestPaymentIndex: async () => 1_000_000n - ((await backend.latestPaymentIndex()) as bigint) })],
  ['says the index as a number', COUNT, () => ({ latestPaymentIndex: async () => 7 as unknown as PaymentIndex })],
  ['cannot say the index while its node is there', COUNT, () => ({ latestPaymentIndex: async () => 'unknown' })],
  [
    'says that it has not sent what it has sent',
    IN_FLIGHT,
    (backend) => ({ pay: async (request) => (await backend.pay(request), { status: 'not_sent' }) }),
  ],
  [
    'says that the node has what was not sent',
    IN_FLIGHT,
    () => ({ pay: async ({ onInFlight }) => (onInFlight?.(), { status: 'not_sent' }) }),
  ],
  ['sends nothing', SETTLE, () => ({ pay: async () => ({ status: 'not_sent' }) })],
  ['does not find what it cannot look up', CUT_OFF, lookingUp((found) => (found.status === 'unknown' ? { status: 'not_found' } : found))],
  [
    'throws when it cannot look up',
    CUT_OFF,
    lookingUp((found) => {
      if (found.status === 'unknown') throw new Error('expect: no connection');
      return found;
    }),
  ],
  [
    'sends later what it could not send at once',
    CUT_OFF,
    (backend) => ({
      pay: async (request) => {
        const answer = await backend.pay(request);
        if (answer.status === 'not_sent') void retried(backend, request);
        return answer;
      },
    }),
  ],
  ['does not find an invoice while it is cut off', CUT_OFF, () => ({ lookupInvoice: async () => ({ status: 'not_found' }) })],
  ['takes the end of the caller’s time for a failure', SLOW, paying((answer) => (answer.status === 'unknown' ? failed : answer))],
  ['never says that a payment is in flight', SLOW, (backend) => ({ pay: ({ onInFlight: _never, ...request }) => backend.pay(request) })],
  [
    'says that a payment is in flight when the caller has left',
    SLOW,
    (backend) => ({
      pay: async ({ onInFlight, ...request }) => {
        const answer = await backend.pay(request);
        setImmediate(() => onInFlight?.());
        return answer;
      },
    }),
  ],
  ['does not find what is in flight', SLOW, lookingUp((found) => (found.status === 'in_flight' ? { status: 'not_found' } : found))],
  ['takes what is in flight for failed', SLOW, lookingUp((found) => (found.status === 'in_flight' ? failed : found))],
  ['takes a broken connection for a failure', BROKEN, paying((answer) => (answer.status === 'unknown' ? failed : answer))],
  ['has not sent what it was sending', BROKEN, paying((answer) => (answer.status === 'unknown' ? { status: 'not_sent' } : answer))],
  [
    'pays the amount of the invoice, whatever was asked',
    AMOUNT,
    (backend) => ({
      pay: (request) => {
        const decoded = decodeInvoice(request.paymentRequest);
        return backend.pay({ ...request, amountMsat: (decoded.ok && decoded.invoice.amountMsat) || request.amountMsat });
      },
    }),
  ],
  [
    'leaves a payment out of its list',
    LIST,
    (backend) => ({ listPayments: async (after, limit) => backend.listPayments(after + 1n, limit) }),
  ],
  [
    'ignores the fee limit',
    EXPENSIVE,
    (backend) => ({ pay: (request) => backend.pay({ ...request, feeLimitMsat: request.feeLimitMsat * 2n }) }),
  ],
];

/** Sends as soon as there is a connection, as a queue of a client library does. */
async function retried(backend: LightningBackend, request: Parameters<LightningBackend['pay']>[0]): Promise<void> {
  await eventually(async () => (await backend.info()).status === 'ready' && (await backend.pay(request)));
}

describe('the contract of Lightning back ends refuses a back end that', () => refuses(MUTANTS));
