import {
  checkCredential,
  Requests,
  type ArgumentsOf,
  type ClientCredential,
  type Executed,
  type RequestOptions,
  type RequestSettings,
  type TypedDocument,
} from './requests.js';
import { Subscriptions, type SubscribeOptions, type SubscriptionSettings } from './subscriptions.js';

/** How to reach a server, and as which caller. */
export interface ClientOptions extends ClientCredential, RequestSettings, SubscriptionSettings {
  /** The address of the server, such as `https://wallet.example`, or of its API (`…/graphql`). */
  readonly url: string | URL;
}

/** A caller of one server. Requests are independent of each other; all subscriptions share a WebSocket, which is open while there are any. */
export interface Client {
  /**
   * Executes a query or a mutation. Refusals of a mutation are in `errors` of its payload.
   * @returns the data of the response
   * @throws RequestError without a response, or for errors outside of the payload
   */
  request<Data, Variables>(document: TypedDocument<Data, Variables>, ...rest: ArgumentsOf<Variables, RequestOptions>): Promise<Data>;

  /**
   * Like `request`, with the rest of the response: for payments, `extensions.unconfirmedTransactionIds` (docs/api.md).
   * @throws RequestError as `request` does
   */
  execute<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: ArgumentsOf<Variables, RequestOptions>
  ): Promise<Executed<Data>>;

  /**
   * The events of a subscription, until the server ends it, `signal` aborts it or the loop is left. The client connects again after a lost
   * connection; `onReconnect` of the client is the moment to read what it may have missed.
   * @throws RequestError from the iterator, if the server refuses the subscription or stays unreachable for half a minute
   */
  subscribe<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    ...rest: ArgumentsOf<Variables, SubscribeOptions>
  ): AsyncIterableIterator<Data>;

  /** Ends all subscriptions, and closes the WebSocket. */
  close(): void;
}

/** The address of the API, for HTTP. */
function apiAddress(given: string | URL): URL {
  const url = new URL(given);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('The address of the server must begin with https:// or http://');
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/graphql') ? path : `${path}/graphql`;
  return url;
}

/**
 * A client of the API for browsers, and for Node 20 or newer.
 * @throws TypeError for an address that is not http or https, and for more than one credential
 */
export function createClient(options: ClientOptions): Client {
  checkCredential(options);
  const url = apiAddress(options.url);
  const requests = new Requests(url, options);
  const subscriptions = new Subscriptions(url, options);
  return {
    request: async (document, ...[variables, given]) => (await requests.execute(document, variables, given)).data,
    execute: (document, ...[variables, given]) => requests.execute(document, variables, given),
    subscribe: (document, ...[variables, given]) => subscriptions.open(document, variables, given),
    close: () => subscriptions.close(),
  };
}
