import { PAYMENT_FAILURES, type PaymentFailure } from '../lightning-backend.js';

/**
 * How a payment goes wrong, as data: written on the outside's invoice for what we pay, given with a payment from outside for what we
 * get. They combine: `{ dropResponse, delayMs, fail }` is a payment whose answer is lost and that fails later;
 * `{ fail: 'timeout', delayMs }` one of several parts of which some never arrive.
 */
export interface Faults {
  /** It fails for this reason instead of settling. */
  readonly fail?: PaymentFailure;
  /** It ends so much later. Longer than the caller waits, and it ends after we gave up. */
  readonly delayMs?: number;
  /** It ends when `release` says so. */
  readonly hold?: boolean;
  /** The request never reaches our node, and nobody tells the caller. */
  readonly lost?: boolean;
  /** The request never leaves us, and `pay` says so. */
  readonly notSent?: boolean;
  /** The node has no record of the payment from its beginning on, as if it was restored from an older copy. Money moves nevertheless. */
  readonly forgotten?: boolean;
  /** The payment takes its way, but `pay` answers `unknown` at once. */
  readonly dropResponse?: boolean;
  /** `pay` answers so much later than the payment ends: the stream is faster. */
  readonly responseDelayMs?: number;
  /** What the route costs. Above the limit there is no route. */
  readonly routeFeeMsat?: bigint | 'limit';
  /** So much more than the route costs is taken, limit or not: a broken node. */
  readonly overchargeMsat?: bigint;
  /** The stream tells the end twice. */
  readonly duplicateEvent?: boolean;
  /** The outcome stream tells the end so much later, others' ends before it. */
  readonly eventDelayMs?: number;
  /** The stream breaks off, once, just before it tells of this. */
  readonly disconnect?: boolean;
  /** A payment from outside that arrives the moment its invoice is cancelled, and wins. */
  readonly cancelRace?: boolean;
  /** So many settle indexes are left out before this payment from outside. */
  readonly settleIndexGap?: number;
}

const FAILURES: ReadonlySet<string> = new Set(PAYMENT_FAILURES);
const NUMBERS: ReadonlySet<string> = new Set(['delayMs', 'responseDelayMs', 'eventDelayMs', 'settleIndexGap']);
const SWITCHES: ReadonlySet<string> = new Set([
  'hold',
  'lost',
  'notSent',
  'forgotten',
  'dropResponse',
  'duplicateEvent',
  'disconnect',
  'cancelRace',
]);

/** Every value that `parseFaults` takes, and what it does: the help of the simulator's commands. A test compares it with docs/operating.md. */
export const FAULTS_IN_WORDS: readonly (readonly [string, string])[] = [
  ['fail=<reason>', `the payment fails: ${PAYMENT_FAILURES.join(', ')}`],
  ['delayMs=<ms>', 'it ends so much later'],
  ['hold', 'it ends when "simulator release" says so'],
  ['lost', 'the request never reaches the node, and the caller is not told'],
  ['notSent', 'the request is never sent, and the caller is told'],
  ['forgotten', 'the node has no record of the payment; the money moves nevertheless'],
  ['dropResponse', 'the caller is answered "unknown" at once'],
  ['responseDelayMs=<ms>', 'the caller is answered so much later than the payment ends'],
  ['routeFeeMsat=<msat>', 'what the route costs, or "limit" for all that is allowed; above the limit there is no route'],
  ['overchargeMsat=<msat>', 'the node takes so much more than the route costs'],
  ['duplicateEvent', 'the end is told twice'],
  ['eventDelayMs=<ms>', 'the end is told so much later'],
  ['disconnect', 'the stream breaks off once before the end is told'],
  ['cancelRace', 'pay: the payment arrives at the moment the invoice is cancelled, and wins'],
  ['settleIndexGap=<count>', 'pay: so many settle indexes are left out before it'],
];

/**
 * Reads faults as a person writes them: `hold`, or `fail=no_route,delayMs=500`.
 * @throws Error with a sentence that says what is not understood
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

function valueOf(name: string, value: string | undefined): unknown {
  if (SWITCHES.has(name) && value === undefined) return true;
  if (name === 'fail' && value !== undefined && FAILURES.has(value)) return value;
  if (name === 'routeFeeMsat' && value === 'limit') return value;
  const digits = value !== undefined && /^[0-9]{1,15}$/.test(value);
  if (digits && NUMBERS.has(name)) return Number(value);
  if (digits && (name === 'routeFeeMsat' || name === 'overchargeMsat')) return BigInt(value);
  throw new Error(`${value === undefined ? name : `${name}=${value}`} is not a fault that the simulator knows`);
}

/** JSON as the world's tables keep it. A switch that is off is not there. */
export const jsonOfFaults = (faults: Faults): string =>
  JSON.stringify(faults, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value === false ? undefined : value));
