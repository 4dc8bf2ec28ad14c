import { PAYMENT_FAILURES, type PaymentFailure } from '../lightning-backend.js';

/**
 * How a payment goes wrong, as data: set on the outside's invoice for outgoing payments, passed with the payment for incoming ones. Faults
 * combine: `{ dropResponse, delayMs, fail }` is a payment whose response is lost and that fails later;
 * `{ fail: 'timeout', delayMs }` one of several parts of which some never arrive.
 */
export interface Faults {
  /** It fails for this reason instead of settling. */
  readonly fail?: PaymentFailure;
  /** It ends this much later; if that is longer than the caller waits, after the caller's timeout. */
  readonly delayMs?: number;
  readonly hold?: boolean; // it ends on `release`
  /** The request never reaches our node, and `pay` returns `unknown`. */
  readonly lost?: boolean;
  /** The request is never sent, and `pay` returns `not_sent`. */
  readonly notSent?: boolean;
  /** The node has no record of the payment from its beginning on, as if it was restored from an older copy. Money moves nevertheless. */
  readonly forgotten?: boolean;
  /** The payment proceeds, but `pay` returns `unknown` at once. */
  readonly dropResponse?: boolean;
  /** `pay` returns this much later than the payment ends: the stream is faster. */
  readonly responseDelayMs?: number;
  /** There is no route above the limit. */
  readonly routeFeeMsat?: bigint | 'limit';
  /** The node takes this much more than the route costs, regardless of the limit: a faulty node. */
  readonly overchargeMsat?: bigint;
  readonly duplicateEvent?: boolean;
  /** The outcome stream reports the end this much later, after the ends of other payments. */
  readonly eventDelayMs?: number;
  /** The stream breaks off, once, just before it reports this payment. */
  readonly disconnect?: boolean;
  /** A payment from outside that arrives the moment its invoice is cancelled, and wins. */
  readonly cancelRace?: boolean;
  /** The simulator skips this many settle indexes before this payment from outside. */
  readonly settleIndexGap?: number;
}

const FAILURES: ReadonlySet<string> = new Set(PAYMENT_FAILURES);
/** The values that `parseFaults` takes, with effects: the help of the simulator's commands. A test compares it with docs/reference/commands.md. */
export const FAULTS_IN_WORDS: readonly (readonly [string, string])[] = [
  ['fail=<reason>', `the payment fails: ${PAYMENT_FAILURES.join(', ')}`],
  ['delayMs=<ms>', 'the payment ends this much later'],
  ['hold', 'the payment ends when "simulator release" is run'],
  ['lost', 'the request never reaches the node, and the caller gets no response'],
  ['notSent', 'the request is never sent, and the caller gets "not_sent"'],
  ['forgotten', 'the node has no record of the payment; the money moves nevertheless'],
  ['dropResponse', 'the caller gets "unknown" at once'],
  ['responseDelayMs=<ms>', 'the caller gets the response this much later than the payment ends'],
  ['routeFeeMsat=<msat>', 'what the route costs, or "limit" for all that is allowed; above the limit there is no route'],
  ['overchargeMsat=<msat>', 'the node takes this much more than the route costs'],
  ['duplicateEvent', 'the outcome is reported twice'],
  ['eventDelayMs=<ms>', 'the outcome is reported this much later'],
  ['disconnect', 'the stream breaks off once before the outcome is reported'],
  ['cancelRace', 'pay: the payment arrives at the moment the invoice is cancelled, and wins'],
  ['settleIndexGap=<count>', 'pay: this number of settle indexes is skipped before it'],
];

/**
 * Reads faults as users write them: `hold`, or `fail=no_route,delayMs=500`.
 * @throws Error that names the fault that is not known
 */
export function parseFaults(text: string): Faults {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  return Object.fromEntries(
    entries.map((entry) => {
      const [name = '', value] = entry.trim().split('=');
      return [name, valueOf(name, value)];
    }),
  );
}

/** The form of each fault's value, as its words give it: undefined for a switch. */
const FORMS = new Map(FAULTS_IN_WORDS.map(([fault]) => fault.split('=') as [string, string | undefined]));

function valueOf(name: string, value: string | undefined): unknown {
  const form = FORMS.get(name);
  if (FORMS.has(name) && form === undefined && value === undefined) return true;
  if (name === 'fail' && value !== undefined && FAILURES.has(value)) return value;
  if (name === 'routeFeeMsat' && value === 'limit') return value;
  if (value !== undefined && /^[0-9]{1,15}$/.test(value)) {
    if (form === '<msat>') return BigInt(value);
    if (form === '<ms>' || form === '<count>') return Number(value);
  }
  const known = FAULTS_IN_WORDS.map(([fault]) => fault).join(', ');
  throw new Error(`Unknown fault "${value === undefined ? name : `${name}=${value}`}". Known: ${known}`);
}

/** JSON as the simulator's tables store it, without switches that are off. */
export const jsonOfFaults = (faults: Faults): string =>
  JSON.stringify(faults, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value === false ? undefined : value));
