import type { IncomingMessage } from 'node:http';
import type { Context } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Principal } from '../auth/index.js';

export interface ConnectionExtra extends Record<PropertyKey, unknown> {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly address: string;
  principal?: Principal;
  hint?: string | undefined;
  isAuthenticating?: boolean;
  /** The document of its last message waits for its turn: later messages wait too. */
  isPreparing?: boolean;
  /** In characters. */
  messageLength?: number;
  resume?: () => void;
  stopExpiry?: () => void;
}

export type SocketConnection = Context<Record<string, unknown>, ConnectionExtra>;

/** Closes a connection: sends nothing more, and ends its streams now, not at their next event. Returns false, for `onConnect`. */
export function closeConnection(connection: SocketConnection, code: number, reason: string): false {
  connection.extra.socket.close(code, reason);
  for (const stream of Object.values(connection.subscriptions)) void (stream as AsyncGenerator | null)?.return?.(undefined);
  return false;
}
