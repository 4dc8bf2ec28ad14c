import type { IncomingMessage } from 'node:http';
import type { Context } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Principal } from '../auth/index.js';

export interface ConnectionExtra extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly address: string;
  principal?: Principal;
  /** What an anonymous caller should have sent, where its `connection_init` shows what was meant. */
  hint?: string | undefined;
  /** Its credential is being looked up. */
  isJudged?: boolean;
  /** The document of its last message waits for its turn: what comes after it waits too. */
  isPlanned?: boolean;
  /** Looks at the messages that wait, because something has ended. */
  resume?: () => void;
  /** Calls off the timer that ends the connection with its credential. */
  stopExpiry?: () => void;
}

/** One open WebSocket with what is known of it; `subscriptions` are its running streams. */
export type Connection = Context<Record<string, unknown>, ConnectionExtra>;

/** Ends a connection: nothing more is sent, and its streams stop now and not at their next event. Answers false, for `onConnect`. */
export function closeConnection(connection: Connection, code: number, reason: string): false {
  connection.extra.socket.close(code, reason);
  for (const stream of Object.values(connection.subscriptions)) void (stream as AsyncGenerator | null)?.return?.(undefined);
  return false;
}
