import { Injectable, type OnModuleDestroy, type OnModuleInit } from '@nestjs/common';
import type { DocumentNode } from 'graphql';
import { ANONYMOUS, isRevokedBy, PAUSED, RevocationPoller, type CredentialRef, type Principal } from '../auth/index.js';
import { Events, withCleanup, type Stream } from '../../platform/events/index.js';
import { Clock } from '../../platform/kernel/clock.js';
import { Counts } from '../../platform/kernel/counts.js';
import { CloseCode, PROBLEMS, WorkInProgress, type Work } from '../http/index.js';
import { SocketSettings } from './socket.settings.js';
import type { IncomingMessage } from 'node:http';
import type { Context } from 'graphql-ws';
import type { WebSocket } from 'ws';

export interface ConnectionExtra extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly address: string;
  principal?: Principal;
  hint?: string | undefined;
  isAuthenticating?: boolean;
  /** The document of its last message waits for its turn: later messages wait too. */
  isPreparing?: boolean;
  messageLength?: number;
  resume?: () => void;
  stopExpiry?: () => void;
  /** Those that are open: graphql-ws has no stream of a subscription that is still being prepared. */
  readonly streams: Set<Stream<unknown>>;
}

export type SocketConnection = Context<Record<string, unknown>, ConnectionExtra>;

/** Closes a connection: sends nothing more, and ends its streams now, not at their next event. Returns false, for `onConnect`. */
export function closeConnection(connection: SocketConnection, code: number, reason: string): false {
  connection.extra.socket.close(code, reason);
  endStreams(connection.extra);
  return false;
}

const endStreams = ({ streams }: ConnectionExtra): void => streams.forEach((stream) => void stream.return(undefined));

/** The connection ends the stream when it closes; at once if it has closed meanwhile. */
export function ownStream({ socket, streams }: ConnectionExtra, stream: Stream<unknown>, end: () => void): Stream<unknown> {
  const own = withCleanup(stream, () => {
    streams.delete(own);
    end();
  });
  streams.add(own);
  if (socket.readyState !== socket.OPEN) void own.return(undefined);
  return own;
}

/** Applies to a caller without a credential, on one socket. */
const ANONYMOUS_SUBSCRIPTIONS = 5;
/** Sockets without a credential; from half of them on, an address gets no third one. */
const ANONYMOUS_SOCKETS = 1_000;
const FEW_SOCKETS = 2;
/**
 * A subscription keeps its message and its document until it ends; a longer one takes up to half a megabyte, so there may be few. The
 * first one of a caller is always permitted.
 */
const SHORT = { tokens: 100, characters: 4_096 };
const MAX_LONG = { ofCaller: 32, ofStrangers: 64, ofAll: 256 };

@Injectable()
export class ConnectionRegistry implements OnModuleInit, OnModuleDestroy {
  private off: (() => void)[] = [];
  private readonly open = new Map<string, Set<SocketConnection>>();
  private strangers = 0;
  private readonly long = new Counts();
  private readonly longOfStrangers = new Counts();

  constructor(
    readonly settings: SocketSettings,
    private readonly clock: Clock,
    private readonly work: WorkInProgress,
    private readonly events: Events,
    revocations: RevocationPoller,
  ) {
    revocations.registerConnections(() => this.principals());
  }

  onModuleInit(): void {
    this.off = [
      this.events.on('credential.revoked', (_event, key) => this.revoke(key)),
      this.events.on('credential.ends', ({ atMs }, key) => this.endAllAt(key, atMs)),
    ];
  }

  onModuleDestroy(): void {
    for (const off of this.off) off();
  }

  /** @returns false if the principal, or the address of an anonymous caller, has too many */
  admit(connection: SocketConnection, principal: Principal): boolean {
    const key = keyOf(principal, connection.extra.address);
    const siblings = this.open.get(key) ?? new Set();
    const { SOCKETS_PER_PRINCIPAL: perPrincipal, SOCKETS_PER_ADDRESS: perAddress } = this.settings;
    const isAnonymous = principal.kind === 'anonymous';
    if (siblings.size >= (isAnonymous ? perAddress : perPrincipal)) return false;
    const isCrowded = this.strangers >= ANONYMOUS_SOCKETS / 2 && siblings.size >= FEW_SOCKETS;
    if (isAnonymous && (isCrowded || this.strangers >= ANONYMOUS_SOCKETS)) return false;
    if (isAnonymous) this.strangers++;
    this.open.set(key, siblings.add(connection));
    if (principal.expiresAt !== undefined) this.endAt(connection, principal.expiresAt);
    return true;
  }

  hasTooManySubscriptions({ subscriptions, extra: { principal = ANONYMOUS, address } }: SocketConnection): boolean {
    const { SUBSCRIPTIONS_PER_SOCKET: perSocket, subscriptionsPerPrincipal } = this.settings;
    const isAnonymous = principal.kind === 'anonymous';
    if (Object.keys(subscriptions).length > (isAnonymous ? Math.min(perSocket, ANONYMOUS_SUBSCRIPTIONS) : perSocket)) return true;
    if (isAnonymous) return false; // SOCKETS_PER_ADDRESS bounds them
    let count = 0;
    for (const sibling of this.open.get(keyOf(principal, address)) ?? []) count += Object.keys(sibling.subscriptions).length;
    return count > subscriptionsPerPrincipal;
  }

  hasSlot({ request, address, principal = ANONYMOUS }: ConnectionExtra): boolean {
    return this.work.of(request.socket, address).mayEnter(principal);
  }

  /** An operation holds a slot until its stream is open. */
  begin({ request, address, principal = ANONYMOUS }: ConnectionExtra): Work {
    const work = this.work.of(request.socket, address);
    work.enter(principal);
    return work;
  }

  /** @returns how to end the count, or undefined if it exceeds a limit */
  keep(
    { address, principal: { userId } = ANONYMOUS }: ConnectionExtra,
    document: DocumentNode,
    characters: number,
  ): (() => void) | undefined {
    if ((document.tokenCount ?? Infinity) <= SHORT.tokens && characters <= SHORT.characters) return () => undefined;
    const key = userId ?? address;
    const own = this.long.of(key);
    const isCrowded = this.long.total >= MAX_LONG.ofAll || (userId === null && this.longOfStrangers.total >= MAX_LONG.ofStrangers);
    if (own >= MAX_LONG.ofCaller || (own > 0 && isCrowded)) return undefined;
    const count = (by: 1 | -1): void => {
      this.long.add(key, by);
      if (userId === null) this.longOfStrangers.add(key, by);
    };
    count(1);
    let hasEnded = false;
    return () => {
      if (!hasEnded) count(-1);
      hasEnded = true;
    };
  }

  forget(connection: SocketConnection): void {
    const { principal, address, stopExpiry } = connection.extra;
    stopExpiry?.();
    endStreams(connection.extra);
    if (!principal) return;
    const key = keyOf(principal, address);
    const siblings = this.open.get(key);
    if (siblings?.delete(connection) && principal.kind === 'anonymous') this.strangers--;
    if (siblings?.size === 0) this.open.delete(key);
  }

  private revoke(key: string): void {
    const [code, reason] = key.startsWith(PAUSED)
      ? [CloseCode.forbidden, PROBLEMS.accessPaused.status]
      : [CloseCode.unauthorized, 'Unauthorized'];
    for (const connection of [...this.of(key)]) closeConnection(connection, code, reason);
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

  private endAllAt(key: string, atMs: number): void {
    for (const connection of this.of(key)) {
      connection.extra.stopExpiry?.();
      this.endAt(connection, Math.min(atMs, connection.extra.principal?.expiresAt ?? Infinity));
    }
  }

  private endAt(connection: SocketConnection, expiresAt: number): void {
    connection.extra.stopExpiry = this.clock.timeout(expiresAt - this.clock.now(), () =>
      closeConnection(connection, CloseCode.unauthorized, 'Unauthorized'),
    );
  }
}

const keyOf = (principal: Principal, address: string): string =>
  principal.kind === 'anonymous' ? `address ${address}` : `principal ${principal.id}`;
