// Many open subscriptions, each of a different user.
import { once } from 'node:events';
import { createRequire } from 'node:module';

const { WebSocket } = createRequire(import.meta.url)('ws');
const AT_ONCE = 50;

/**
 * @param {(index: number) => object} payloadOf the payload of a socket's `connection_init`
 * @returns `next(index)`, the next update of that socket, and `close()`
 */
export async function openSockets({ port, count, query, payloadOf }) {
  const sockets = [];
  const waiting = new Map();
  const open = async (index) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'connection_init', payload: payloadOf(index) }));
    const [ack] = await once(socket, 'message');
    if (JSON.parse(ack).type !== 'connection_ack') throw new Error(`Socket ${index} was answered ${ack}`);
    socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }));
    socket.on('message', (frame) => {
      const { type, payload } = JSON.parse(frame);
      if (type === 'ping') socket.send('{"type":"pong"}');
      if (type === 'next') waiting.get(index)?.resolve(payload);
      if (type === 'error') waiting.get(index)?.reject(new Error(JSON.stringify(payload)));
    });
    sockets[index] = socket;
  };
  for (let first = 0; first < count; first += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - first) }, (_, offset) => open(first + offset)));
  return {
    next: (index) => new Promise((resolve, reject) => waiting.set(index, { resolve, reject })),
    close: () => sockets.forEach((socket) => socket.terminate()),
  };
}
