import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually, type CredentialHeaders } from '../../src/testing/index.js';

export { dataOf, graphql, type CredentialHeaders, type GraphQLAnswer } from '../../src/testing/index.js';

/** A repeat under an idempotency key waits some seconds for the first run: one that has waited too long asks again. */
export const toItsEnd = <Answer extends object>(ask: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await ask();
    return JSON.stringify(answer).includes('IDEMPOTENCY_IN_PROGRESS') ? null : answer;
  });

/** A graphql-ws client of one socket. */
export const socketClient = (
  url: string,
  connectionParams: CredentialHeaders = {},
  more: { onClosed?: (event: unknown) => void } = {},
): Client =>
  createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: { closed: (event) => more.onClosed?.(event) },
  });

/** Of a socket that was closed: its fields are getters, which JSON omits. */
const reasonOf = (error: unknown): string => {
  const { code, reason } = error as { readonly code?: number; readonly reason?: string };
  return code === undefined ? JSON.stringify(error) : `The socket was closed: ${code} ${reason}`;
};

/** Collects the events of a subscription; `next()` waits for the one after the last. */
export class Subscribed<Event = Record<string, unknown>> {
  readonly events: Event[] = [];
  private readonly waiting: ((event: Event) => void)[] = [];
  private taken = 0;
  readonly ended: Promise<void>;
  readonly stop: () => void;
  private readonly failed: Promise<never>;

  constructor(client: Client, query: string, variables: Readonly<Record<string, unknown>> = {}) {
    let stop: () => void = () => undefined;
    this.ended = new Promise((resolve, reject) => {
      stop = client.subscribe<Event>(
        { query, variables },
        {
          next: ({ data, errors }) => this.take((data ?? { errors }) as Event),
          error: (error) => reject(error instanceof Error ? error : new Error(reasonOf(error))),
          complete: () => resolve(),
        },
      );
    });
    this.failed = this.ended.then(() => Promise.reject(new Error('The subscription has ended')));
    this.failed.catch(() => undefined);
    this.stop = stop;
  }

  next(): Promise<Event> {
    const ready = this.events[this.taken];
    if (ready !== undefined) {
      this.taken++;
      return Promise.resolve(ready);
    }
    return Promise.race([new Promise<Event>((resolve) => this.waiting.push(resolve)), this.failed]);
  }

  private take(event: Event): void {
    this.events.push(event);
    const waiting = this.waiting.shift();
    if (!waiting) return;
    this.taken++;
    waiting(event);
  }
}
