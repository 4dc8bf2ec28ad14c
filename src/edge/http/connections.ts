import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Counts } from '../../platform/kernel/counts.js';
import { orNone } from '../../platform/kernel/or-none.js';
import { CONNECTION } from './work-in-progress.js';

/** Requests that may arrive at once on a connection, for each one that it may have in progress. */
const ARRIVING_PER_PLACE = 4;
const ARRIVED = Symbol('requests that arrived at once on a connection');

interface CountedSocket extends Socket {
  [ARRIVED]?: { round: number; count: number };
}

/** A round of the event loop: an immediate runs after all connections that could be read have been read. */
let [round, isRunning] = [0, false];
const endRound = (): void => {
  round++;
  isRunning = false;
};

/**
 * Node parses all that has arrived on a connection before it reads another one, and a refusal costs nearly as much as an answer: without
 * this limit, one connection with pipelined requests keeps all other callers waiting for seconds. A client repeats what was not answered
 * (RFC 9112 section 9.3.2).
 *
 * @returns whether this request is one too many; its connection is destroyed then
 */
export function isBeyondPipeline(socket: CountedSocket): boolean {
  if (!isRunning) setImmediate(endRound);
  isRunning = true;
  const arrived = (socket[ARRIVED] ??= { round, count: 0 });
  if (arrived.round !== round) [arrived.round, arrived.count] = [round, 0];
  if (++arrived.count <= CONNECTION.atOnce * ARRIVING_PER_PLACE) return false;
  socket.destroy();
  return true;
}

const LIMITS = orNone(() => readFileSync('/proc/self/limits', 'utf8')) ?? '';
/** Where the system does not say it, the least that is usual. */
const DESCRIPTORS = Number(/^Max open files +(\d+)/m.exec(LIMITS)?.[1] ?? 1_024);
/** The rest of the descriptors is for the database, the node, files and requests of our own. */
const SHARE_OF_DESCRIPTORS = 3 / 4;
/** The most of one peer, and of all; and how long a connection may be idle while most of those are in use. */
export const CONNECTIONS = { ofPeer: 256, ofProcess: Math.floor(DESCRIPTORS * SHARE_OF_DESCRIPTORS), idleMs: 10_000 };
const CROWDED = 3 / 4;

/**
 * Without a bound, one peer takes every descriptor, and all other callers are reset. Browsers open connections in advance: for Node they are
 * busy until the headers' time-out, so those without a request end here when the server does.
 * @param peerOf the caller at an address; undefined if it is a proxy, whose callers share its connections
 */
export function boundConnections(fastify: FastifyInstance, peerOf: (address: string | undefined) => string | undefined): void {
  const { server } = fastify;
  const open = new Counts();
  /** The one that has been idle for longest first. */
  const idle = new Map<Socket, { readonly since: number; readonly bytesRead: number }>();
  let isClosing = false;
  const rest = (socket: Socket): void => {
    if (!socket.destroyed) idle.set(socket, { since: performance.now(), bytesRead: socket.bytesRead });
  };
  const makeRoom = (): void => {
    let surplus = open.total - CONNECTIONS.ofProcess * CROWDED;
    for (const [socket, { since, bytesRead }] of idle) {
      if (surplus < 0 || performance.now() - since < CONNECTIONS.idleMs) return;
      // Else a request is arriving, or has arrived behind another.
      if (socket.bytesRead !== bytesRead || responseOn(socket)) continue;
      socket.destroy();
      surplus--;
    }
  };
  server.on('connection', (socket: Socket) => {
    makeRoom();
    const peer = peerOf(socket.remoteAddress) ?? '';
    const isOneTooMany = open.total >= CONNECTIONS.ofProcess || (peer !== '' && open.of(peer) >= CONNECTIONS.ofPeer);
    if (isClosing || isOneTooMany) return void socket.destroy();
    open.add(peer, 1);
    rest(socket);
    socket.once('close', () => {
      open.add(peer, -1);
      idle.delete(socket);
    });
  });
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => rest(socket));
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => void idle.delete(socket));
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    for (const socket of idle.keys()) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

/** The response that is in progress on a connection. */
export const responseOn = (socket: Socket): ServerResponse | null | undefined =>
  (socket as Socket & { readonly _httpMessage?: ServerResponse | null })._httpMessage;

/** A client that reads too little of its response in this time is disconnected: the response occupies memory. */
const UNREAD_TIMEOUT_MS = 15_000;
const MIN_BYTES = 64 * 1024;
const WATCH = Symbol('watch of unread answers');

interface Watched extends Socket {
  [WATCH]?: true;
}

/**
 * One timer and one listener per socket, not per response: a pipelined response that waits has no socket, and one whose connection is gone
 * never emits `close`. The socket's own timeout would also run while the next request is processed.
 */
export function destroyIfUnread(socket: Watched): void {
  if (socket[WATCH] || socket.destroyed) return;
  socket[WATCH] = true;
  let before = takenFrom(socket);
  let isWaiting = false;
  const timer = setInterval(() => {
    const taken = takenFrom(socket);
    const hasUnread = socket.writableLength > 0;
    if (hasUnread && isWaiting && taken - before < MIN_BYTES) socket.destroy();
    [before, isWaiting] = [taken, hasUnread];
  }, UNREAD_TIMEOUT_MS).unref();
  socket.once('close', () => clearInterval(timer));
}

/** Bytes that the operating system has accepted from this socket. */
const takenFrom = (socket: Socket): number => socket.bytesWritten - socket.writableLength;
