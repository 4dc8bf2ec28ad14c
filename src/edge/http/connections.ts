import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
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

/** Browsers open connections in advance. For Node they are busy until the headers' time-out, and the stop would wait for it. */
export function closeSilentConnections(fastify: FastifyInstance): void {
  const connections = new Set<Socket>();
  let isClosing = false;
  fastify.server.on('connection', (socket: Socket) => {
    if (isClosing) return void socket.destroy();
    connections.add(socket);
    socket.once('close', () => connections.delete(socket));
  });
  fastify.addHook('preClose', (done) => {
    isClosing = true;
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
    done();
  });
}

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
