import { Injectable } from '@nestjs/common';
import type { DocumentNode } from 'graphql';
import { ANONYMOUS, isRevokedBy, RevocationPoller, type CredentialRef, type Principal } from '../auth/index.js';
import { Config } from '../config/index.js';
import { Clock } from '../kernel/clock.js';
import { CloseCode, WorkInProgress, type Work } from '../http/index.js';
import { closeConnection, type SocketConnection, type ConnectionExtra } from './connection.js';
import { SubscriptionMemory } from './subscription-memory.js';

/** Open connections: their limits, and their end when the credential ends. */
@Injectable()
export class ConnectionRegistry {
  private readonly open = new Map<string, Set<SocketConnection>>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly work: WorkInProgress,
    private readonly memory: SubscriptionMemory,
    revocations: RevocationPoller,
  ) {
    revocations.registerConnections(() => this.principals());
  }

  /** Registers a connection under its principal; false if the principal (or the address, for an anonymous caller) has too many. */
  admit(connection: SocketConnection, principal: Principal): boolean {
    const key = keyOf(principal, connection.extra.address);
    const siblings = this.open.get(key) ?? new Set();
    const { perPrincipal, perAddress } = this.config.socket;
    if (siblings.size >= (principal.kind === 'anonymous' ? perAddress : perPrincipal)) return false;
    this.open.set(key, siblings.add(connection));
    if (principal.expiresAt !== undefined) this.endAt(connection, principal.expiresAt);
    return true;
  }

  /** Whether the newest subscription of this connection is one too many: on it, or of its principal. */
  hasTooManySubscriptions({ subscriptions, extra: { principal = ANONYMOUS, address } }: SocketConnection): boolean {
    const { subscriptions: perSocket, subscriptionsPerPrincipal } = this.config.socket;
    if (Object.keys(subscriptions).length > perSocket) return true;
    if (principal.kind === 'anonymous') return false; // SOCKETS_PER_ADDRESS bounds them
    let count = 0;
    for (const sibling of this.open.get(keyOf(principal, address)) ?? []) count += Object.keys(sibling.subscriptions).length;
    return count > subscriptionsPerPrincipal;
  }

  /** Whether this connection may start one more operation. */
  hasSlot({ request, address, principal = ANONYMOUS }: ConnectionExtra): boolean {
    return this.work.of(request.socket, address).mayEnter(principal);
  }

  /** An operation holds a slot until its stream is open. */
  begin({ request, address, principal = ANONYMOUS }: ConnectionExtra): Work {
    const work = this.work.of(request.socket, address);
    work.enter(principal);
    return work;
  }

  /**
   * Counts the memory of a subscription.
   * @returns how to end the count, or undefined if it exceeds a limit
   */
  keep({ address, principal = ANONYMOUS }: ConnectionExtra, document: DocumentNode, characters: number): (() => void) | undefined {
    const owner = { key: keyOf(principal, address), isAnonymous: principal.kind === 'anonymous' };
    return this.memory.begin(owner, document, characters);
  }

  forget(connection: SocketConnection): void {
    const { principal, address, stopExpiry } = connection.extra;
    stopExpiry?.();
    if (!principal) return;
    const key = keyOf(principal, address);
    const siblings = this.open.get(key);
    siblings?.delete(connection);
    if (siblings?.size === 0) this.open.delete(key);
  }

  /** @param key of the event `credential.revoked` */
  revoke(key: string): void {
    for (const connection of [...this.of(key)]) closeConnection(connection, CloseCode.unauthorized, 'Unauthorized');
  }

  private *principals(): Generator<CredentialRef> {
    for (const [connection] of this.open.values()) {
      const { kind, id } = connection?.extra.principal ?? ANONYMOUS;
      if (kind !== 'anonymous') yield { kind, id };
    }
  }

  private *of(key: string): Generator<SocketConnection> {
    yield* this.open.get(`principal ${key}`) ?? [];
    if (!key.includes(':')) return; // the id of one principal, not of a user or client
    for (const connections of this.open.values())
      for (const connection of connections) if (isRevokedBy(connection.extra.principal ?? ANONYMOUS, key)) yield connection;
  }

  private endAt(connection: SocketConnection, expiresAt: number): void {
    connection.extra.stopExpiry = this.clock.timeout(expiresAt - this.clock.now(), () =>
      closeConnection(connection, CloseCode.unauthorized, 'Unauthorized'),
    );
  }
}

/** Of the caller whose limits an operation counts in. */
export const keyOf = (principal: Principal, address: string): string =>
  principal.kind === 'anonymous' ? `address ${address}` : `principal ${principal.id}`;
