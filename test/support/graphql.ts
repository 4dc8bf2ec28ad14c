import { createClient, type Client } from 'graphql-ws';
import { WebSocket } from 'ws';

export type Credential = Readonly<Record<string, string>>;

export interface GraphQLAnswer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly string[];
    readonly extensions?: Readonly<Record<string, unknown>>;
  }[];
}

/** One operation over HTTP, as a client sends it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a test reads whatever shape it asked for
export async function graphql<Data = any>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  credential: Credential = {},
): Promise<GraphQLAnswer<Data>> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...credential },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphQLAnswer<Data>;
}

/** The data of an operation that has to work. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
export async function dataOf<Data = any>(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
  credential: Credential = {},
): Promise<Data> {
  const { data, errors } = await graphql<Data>(url, query, variables, credential);
  if (errors || !data) throw new Error(`The operation failed: ${JSON.stringify(errors)}`);
  return data;
}

/** A graphql-ws client of one socket. */
export const socketClient = (url: string, connectionParams: Credential = {}, more: { onClosed?: (event: unknown) => void } = {}): Client =>
  createClient({
    url: `${url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => undefined,
    on: { closed: (event) => more.onClosed?.(event) },
  });

/** The events of a subscription, collected; `next()` waits for the one after the last. */
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
          error: (error) => reject(error instanceof Error ? error : new Error(JSON.stringify(error))),
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
