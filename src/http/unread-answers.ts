import type { Socket } from 'node:net';

/** An answer that is not taken from one look to the next is given up: it fills our memory. */
const UNREAD_TIMEOUT_MS = 15_000;
/** A reader that takes less than this in that time holds its answer for as long as one that takes nothing. */
const LEAST_BYTES = 64 * 1024;
const WATCH = Symbol('watch of unread answers');

interface Watched extends Socket {
  [WATCH]?: true;
}

/**
 * Ends a connection whose other side does not read. One timer and one listener a socket, whatever it asks: a response that waits behind others
 * has no socket, and one whose connection is gone never says `close`. Not the time-out of the socket either, which would run while the next
 * request is worked on.
 */
export function giveUpUnread(socket: Watched): void {
  if (socket[WATCH] || socket.destroyed) return;
  socket[WATCH] = true;
  let before = takenFrom(socket);
  let isWaiting = false;
  const timer = setInterval(() => {
    const taken = takenFrom(socket);
    const hasUnread = socket.writableLength > 0;
    if (hasUnread && isWaiting && taken - before < LEAST_BYTES) socket.destroy();
    [before, isWaiting] = [taken, hasUnread];
  }, UNREAD_TIMEOUT_MS).unref();
  socket.once('close', () => clearInterval(timer));
}

/** How many bytes the operating system has taken of what we wrote. */
const takenFrom = (socket: Socket): number => socket.bytesWritten - socket.writableLength;
