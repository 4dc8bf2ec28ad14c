import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

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
