import { hash } from 'node:crypto';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Events } from '../../platform/events/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { BoundedMap } from '../../platform/kernel/bounded-map.js';
import { isRevokedBy, type CredentialKind, type Principal } from './principal.js';

const KEPT_MS = 30_000;
const MAX_CACHED = 50_000;

/** A hash as a text: one of bytes, made into a text, takes twice as long. */
const keyOf = (kind: CredentialKind, secret: string): string => `${kind} ${hash('sha256', secret)}`;

/**
 * Valid credentials, by the hash of their secret, for 30 seconds. Every process drops revoked ones within a second: a look-up fills the
 * cache only if no revocation arrived while it ran, and callers bypass the cache while events may be missing.
 */
@Injectable()
export class CredentialCache implements OnModuleInit, OnApplicationShutdown {
  private readonly known = new BoundedMap<string, { readonly principal: Principal; readonly since: number }>(MAX_CACHED);
  private epochs = 0;
  private off: (() => void)[] = [];

  constructor(
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.off = [
      this.events.on('credential.revoked', (_event, key) => this.forget(key)),
      // Looked up again, it has its end.
      this.events.on('credential.ends', (_event, key) => this.forget(key)),
      this.events.onGap(() => this.forgetAll()),
    ];
  }

  onApplicationShutdown(): void {
    for (const off of this.off) off();
  }

  /** The epoch counts revocations, so that a caller can repeat a look-up that overlapped with one. */
  get epoch(): number {
    return this.epochs;
  }

  /** A secret is valid only as its own kind, cached or not. */
  find(kind: CredentialKind, secret: string): Principal | undefined {
    if (!this.events.current) return undefined;
    const kept = this.known.get(keyOf(kind, secret));
    const isValid = kept && this.clock.elapsed() - kept.since < KEPT_MS && this.clock.now() < (kept.principal.expiresAt ?? Infinity);
    return isValid ? kept.principal : undefined;
  }

  /** After a look-up during which no credential was revoked. */
  keep(kind: CredentialKind, secret: string, principal: Principal): void {
    if (this.events.current) this.known.set(keyOf(kind, secret), { principal, since: this.clock.elapsed() });
  }

  private forgetAll(): void {
    this.epochs++;
    this.known.clear();
  }

  private forget(revoked: string): void {
    this.epochs++;
    for (const [key, { principal }] of this.known) if (isRevokedBy(principal, revoked)) this.known.delete(key);
  }
}
