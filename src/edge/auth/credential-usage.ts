import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Batcher } from '../../platform/database/index.js';
import { madeOnce } from '../../platform/kernel/made-once.js';
import { Log } from '../../platform/logging/index.js';
import { Loops } from '../../platform/loop/index.js';
import { CallLog, type LoggedCall } from './call-log.js';
import type { CredentialKind, Principal } from './principal.js';

/** `scope:receive write`: either scope would have sufficed. `limit:daily`: a payment exceeded this spending limit. */
export type RefusedBecause =
  'expired' | 'revoked' | 'suspended' | 'rolled' | 'paused' | 'wrong-header' | 'session-only' | `scope:${string}` | `limit:${string}`;

export interface Usage {
  usedAt?: Date;
  address?: string;
  refusal?: { readonly at: Date; readonly cause: RefusedBecause };
}
type Flush = (usage: ReadonlyMap<string, Readonly<Usage>>) => Promise<void>;

const FLUSH_MS = 1_000;

/** "Last used", "last refused" and the latest calls are flushed in one batch a second: no database write per request. */
@Injectable()
export class CredentialUsage implements OnApplicationShutdown {
  readonly calls = new CallLog();
  private readonly log = new Log(CredentialUsage.name);
  private storeCalls: (calls: readonly LoggedCall[]) => Promise<void> = () => Promise.resolve();
  private readonly stores = new Map<CredentialKind, { readonly flush: Flush; pending: Map<string, Usage> }>();
  /** Callers that arrive during a flush share the next one. */
  private readonly flushes = new Batcher<undefined, undefined>(async (callers) => {
    await this.storePending();
    return callers;
  });

  constructor(loops: Loops) {
    loops.run({
      name: 'credential_usage',
      pauseMs: FLUSH_MS,
      round: () => this.flushes.submit(undefined),
      onFailure: ({ message }) => this.log.warn('auth_usage_not_stored', {}, `Usage of credentials not stored: ${message}`),
    });
  }

  onApplicationShutdown(): Promise<void> {
    return this.flush();
  }

  store(kind: CredentialKind, flush: Flush): void {
    this.stores.set(kind, { flush, pending: new Map() });
  }

  storeCallsBy(store: (calls: readonly LoggedCall[]) => Promise<void>): void {
    this.storeCalls = store;
  }

  used(principal: Principal, address: string): void {
    if (principal.kind === 'anonymous') return;
    const usage = this.of(principal.kind, principal.id);
    if (!usage) return;
    usage.usedAt = new Date();
    usage.address = address;
  }

  /** @param cause for the owner; the caller never sees it */
  refused(kind: CredentialKind, id: string, cause: RefusedBecause): void {
    const usage = this.of(kind, id);
    if (usage) usage.refusal = { at: new Date(), cause };
  }

  /** What cannot be stored is kept for the next flush. */
  async flush(): Promise<void> {
    await this.flushes.submit(undefined).catch(() => undefined);
  }

  private async storePending(): Promise<void> {
    let failure: Error | undefined;
    for (const store of this.stores.values()) {
      const taken = store.pending;
      if (taken.size === 0) continue;
      store.pending = new Map();
      await store.flush(taken).catch((error: Error) => {
        failure = error;
        // Entries collected meanwhile are newer. There are no more of them than credentials in the cache.
        for (const [id, usage] of taken) store.pending.set(id, { ...usage, ...store.pending.get(id) });
      });
    }
    const calls = this.calls.take();
    if (calls.length > 0)
      await this.storeCalls(calls).catch((error: Error) => {
        failure = error;
        this.calls.putBack(calls);
      });
    if (failure) throw failure;
  }

  private of(kind: CredentialKind, id: string): Usage | undefined {
    const pending = this.stores.get(kind)?.pending;
    return pending && madeOnce(pending, id, () => ({}));
  }
}
