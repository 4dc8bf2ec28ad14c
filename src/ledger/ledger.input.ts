import { recordsOf } from '../database/index.js';
import { isUuid } from '../kernel/uuid.js';

/** One side of a movement: `amount` is signed, whole units of the account's currency (msat or cents), never zero. */
export interface LedgerLeg {
  readonly accountId: bigint;
  readonly amount: bigint;
}

interface Keyed {
  /** The idempotency key, a UUID: the ledger accepts one operation per key. */
  readonly key: string;
  /** The caller's own vocabulary, 16 bits. */
  readonly kind: number;
}

/** Moves money; the legs of each currency sum to zero. */
export interface PostOperation extends Keyed {
  readonly op: 'post';
  readonly legs: readonly LedgerLeg[];
}

/** Sets money of one customer's account aside. `key` becomes the hold's id. */
export interface HoldOperation extends Keyed {
  readonly op: 'hold';
  readonly accountId: bigint;
  /** Positive, in the account's unit. */
  readonly amount: bigint;
}

/** Ends a hold and posts. The held account is debited by no more than was held; the rest is free again. */
export interface CaptureOperation extends Keyed {
  readonly op: 'capture';
  readonly holdId: string;
  readonly legs: readonly LedgerLeg[];
}

/** Ends a hold; nothing moves. */
export interface VoidOperation extends Keyed {
  readonly op: 'void';
  readonly holdId: string;
}

export type LedgerOperation = PostOperation | HoldOperation | CaptureOperation | VoidOperation;

const fitsBigint = (value: bigint): boolean => BigInt.asIntN(64, value) === value;

const legsOf = (operation: LedgerOperation): readonly LedgerLeg[] => {
  if (operation.op === 'void') return [];
  return operation.op === 'hold' ? [{ accountId: operation.accountId, amount: -operation.amount }] : operation.legs;
};
const holdOf = (operation: LedgerOperation): string | null =>
  operation.op === 'capture' || operation.op === 'void' ? operation.holdId : null;

/** Whether PostgreSQL can parse the operation: one that it cannot parse would fail its whole batch. */
export function isReadable(operation: LedgerOperation): boolean {
  const { key, kind } = operation;
  const ids = [key, holdOf(operation) ?? key];
  return (
    ids.every(isUuid) &&
    Number.isInteger(kind) &&
    Math.abs(kind) < 2 ** 15 &&
    legsOf(operation).every(({ accountId }) => fitsBigint(accountId))
  );
}

/** Literals of `ledger_operation`. */
export const operationRecords = (operations: readonly LedgerOperation[]): string[] =>
  recordsOf(
    operations.map((operation) => ({ ...operation, holdId: holdOf(operation), legs: legsLiteral(legsOf(operation)) })),
    'op',
    'key',
    'kind',
    'holdId',
    'legs',
  );

/** An array of `ledger_leg`. Numbers need no quotes inside. */
const legsLiteral = (legs: readonly LedgerLeg[]): string =>
  `{${legs.map(({ accountId, amount }) => `"(${accountId},${amount})"`).join(',')}}`;
