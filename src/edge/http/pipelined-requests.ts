import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Requests that may arrive at once on a connection, for each one that it may have in progress. */
const ARRIVING_PER_PLACE = 4;
const ARRIVED = Symbol('requests that arrived at once on a connection');

interface CountedSocket extends Socket {
  [ARRIVED]?: { round: number; count: number };
}

/**
 * Node parses all that has arrived on a connection before it reads another one, and a refusal costs nearly as much as an answer: without
 * this limit, one connection with pipelined requests keeps all other callers waiting for seconds. A client repeats what was not answered
 * (RFC 9112 section 9.3.2).
 */
export function limitPipelines(fastify: FastifyInstance, perConnection: number): void {
  const most = perConnection * ARRIVING_PER_PLACE;
  // A round of the event loop: an immediate runs after all connections that could be read have been read.
  let [round, isRunning] = [0, false];
  const endRound = (): void => {
    round++;
    isRunning = false;
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!isRunning) setImmediate(endRound);
    isRunning = true;
    const socket: CountedSocket = request.raw.socket;
    const arrived = (socket[ARRIVED] ??= { round, count: 0 });
    if (arrived.round !== round) [arrived.round, arrived.count] = [round, 0];
    if (++arrived.count > most) socket.destroy();
    // The parser delivers the rest of what was read even then.
    if (socket.destroyed) return void reply.hijack();
    done();
  });
}
