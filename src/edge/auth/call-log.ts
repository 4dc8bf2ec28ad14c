import { newId } from '../../platform/kernel/uuid.js';

/** Why a request was refused, for the owner of the key or the developer of the app. Never a secret, a code, a token, a verifier or a query string. */
export interface Evidence {
  /** A name that the page has texts for, or a text of Sluice's own. */
  readonly cause: string;
  readonly sent?: string;
  readonly registered?: string;
}

/** Calls that are written as one row: a call of a key, or refusals with one operation and cause. */
export interface LoggedCall {
  /** The id of the key or the client; it exists. */
  readonly owner: string;
  readonly kind: 'api-key' | 'client';
  readonly line: string;
  readonly at: number;
  readonly operation: string;
  readonly outcome: string;
  readonly cost: number | null;
  readonly sent: string | null;
  readonly registered: string | null;
  readonly count: number;
}

/** Rows of a credential, in a second and altogether. */
export const MAX_CALLS = 100;
/** Rows that a process writes in a second. */
const MAX_PENDING = 1_000;
const MAX_TEXT = 300;

/** The calls of a second, in memory: at most {@link MAX_PENDING}. */
export class CallLog {
  private pending = new Map<string, Map<string, LoggedCall>>();
  private size = 0;

  called(keyId: string, operation: string, outcome: string, cost: number): void {
    this.add({ ...NO_EVIDENCE, owner: keyId, kind: 'api-key', line: newId(), at: Date.now(), operation, outcome, cost, count: 1 });
  }

  /** The latest of a cause is kept with a count, so that strangers who name the client cannot push other causes out. */
  refused(kind: LoggedCall['kind'], owner: string, operation: string, { cause, sent, registered }: Evidence): void {
    const [outcome, line] = [cut(cause), cut(`${operation} ${cause}`)];
    const evidence = { sent: sent === undefined ? null : cut(sent), registered: registered === undefined ? null : cut(registered) };
    this.add({ owner, kind, line, at: Date.now(), operation: cut(operation), outcome, cost: null, ...evidence, count: 1 });
  }

  take(): LoggedCall[] {
    const taken = [...this.pending.values()].flatMap((own) => [...own.values()]);
    this.pending = new Map();
    this.size = 0;
    return taken;
  }

  /** What could not be stored, before what was collected meanwhile. */
  putBack(taken: readonly LoggedCall[]): void {
    for (const call of [...taken, ...this.take()]) this.add(call);
  }

  private add(call: LoggedCall): void {
    const own = this.pending.get(call.owner) ?? new Map<string, LoggedCall>();
    if (!own.has(call.line)) {
      const oldest = own.size >= MAX_CALLS || this.size >= MAX_PENDING ? own.keys().next().value : undefined;
      if (oldest !== undefined) own.delete(oldest);
      else if (this.size >= MAX_PENDING) return;
      else this.size++;
    }
    const count = call.count + (own.get(call.line)?.count ?? 0);
    this.pending.set(call.owner, own.set(call.line, { ...call, count }));
  }
}

const NO_EVIDENCE = { sent: null, registered: null };
/** PostgreSQL cannot store U+0000. */
const cut = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_TEXT);
