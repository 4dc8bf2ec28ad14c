import type { Socket } from 'node:net';

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
