import type { Logger } from '@nestjs/common';
import type { Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { ConnectionExtra } from './connection.js';

const INTERNAL_ERROR = 4500;

/**
 * Between one WebSocket and graphql-ws: frames in, frames out, pings. Keepalive is WebSocket's own ping, which every library answers;
 * many clients do not know the sub-protocol's.
 */
export function wire(server: Server<ConnectionExtra>, extra: ConnectionExtra, pingMs: number, log: Logger): void {
  const { socket } = extra;
  let answered = true;
  const ping = setInterval(() => {
    if (!answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, pingMs);
  socket.on('pong', () => (answered = true));
  socket.on('error', (error) => log.debug(`A socket failed: ${error.message}`)); // ws closes it, with 1009 or 1002 or 1006
  const closed = server.opened(
    {
      protocol: socket.protocol,
      send: (data) => send(socket, data),
      close: (code, reason) => socket.close(code, reason),
      onMessage: (handle) =>
        socket.on('message', (data, isBinary) => {
          if (isBinary) return socket.close(4400, 'Only text is understood');
          handle((data as Buffer).toString()).catch((error: unknown) => {
            log.error(error);
            socket.close(INTERNAL_ERROR, 'Internal server error');
          });
        }),
    },
    extra,
  );
  socket.once('close', (code, reason) => {
    clearInterval(ping);
    void closed(code, String(reason));
  });
}

function send(socket: WebSocket, data: string): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState !== socket.OPEN) return resolve();
    socket.send(data, () => resolve()); // a failed send is followed by 'close', which ends everything
  });
}
