import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Batcher } from '../../platform/database/index.js';
import { newId } from '../../platform/kernel/uuid.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';

/** Why a request of an app was refused, for its developer. Never a secret, a code, a token, a verifier or a query string. */
export interface Evidence {
  /** A name that the page has texts for, or a text of Sluice's own. */
  readonly cause: string;
  readonly sent?: string;
  readonly registered?: string;
}

/** Calls that are written as one row: a call of a key, or the refusals of an app with one operation and cause. */
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

const FLUSH_MS = 1_000;
/** Rows of a credential, in a second and altogether. */
export const MAX_CALLS = 100;
/** Rows that a process writes in a second. */
const MAX_PENDING = 1_000;
const MAX_TEXT = 300;

/** Collects calls in memory, at most {@link MAX_PENDING}; one statement a second writes them, later ones what could not be written. A crash loses those of the last second. */
@Injectable()
export class CallLog implements OnApplicationShutdown {
  private readonly log = new Log(CallLog.name);
  private pending = new Map<string, Map<string, LoggedCall>>();
  private size = 0;
  private write: (calls: readonly LoggedCall[]) => Promise<void> = () => Promise.resolve();
  private readonly flushes = new Batcher<undefined, undefined>(async (callers) => {
    await this.writePending();
    return callers;
  });

  constructor(loops: Loops) {
    loops.run({
      name: 'credential_calls',
      pauseMs: FLUSH_MS,
      round: () => this.flushes.submit(undefined),
      onFailure: ({ message }) => this.log.warn('auth_calls_not_stored', {}, `Calls of keys and apps not stored: ${message}`),
    });
  }

  store(write: (calls: readonly LoggedCall[]) => Promise<void>): void {
    this.write = write;
  }

  called(keyId: string, operation: string, outcome: string, cost: number): void {
    this.add({ ...NO_EVIDENCE, owner: keyId, kind: 'api-key', line: newId(), at: Date.now(), operation, outcome, cost, count: 1 });
  }

  /** The latest of a cause is kept with a count, so that strangers who name the client cannot push other causes out. */
  refused(clientId: string, operation: string, { cause, sent, registered }: Evidence): void {
    const [outcome, line] = [cut(cause), cut(`${operation} ${cause}`)];
    const evidence = { sent: sent === undefined ? null : cut(sent), registered: registered === undefined ? null : cut(registered) };
    const call = { owner: clientId, kind: 'client', line, at: Date.now(), operation: cut(operation), outcome, cost: null } as const;
    this.add({ ...call, ...evidence, count: 1 });
  }

  /** So that a page shows the calls of this moment. */
  async flush(): Promise<void> {
    await this.flushes.submit(undefined).catch(() => undefined);
  }

  onApplicationShutdown(): Promise<void> {
    return this.flush();
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

  private async writePending(): Promise<void> {
    const taken = this.takePending();
    if (taken.length === 0) return;
    await this.write(taken).catch((error: unknown) => {
      for (const call of [...taken, ...this.takePending()]) this.add(call);
      throw error;
    });
  }

  private takePending(): LoggedCall[] {
    const taken = [...this.pending.values()].flatMap((own) => [...own.values()]);
    this.pending = new Map();
    this.size = 0;
    return taken;
  }
}

const NO_EVIDENCE = { sent: null, registered: null };
/** PostgreSQL cannot store U+0000. */
const cut = (text: string): string => text.replaceAll('\0', '').slice(0, MAX_TEXT);
