/** A typed client of Sluice's API, for browsers and for Node: with a document for each operation, and for documents of your own. */
export { createClient, type Client, type ClientOptions } from './client.js';
export { RequestError, type RequestErrorKind, type ResponseError } from './request.error.js';
export type { ArgumentsOf, ClientCredential, Executed, RequestOptions, RequestSettings, TypedDocument } from './requests.js';
export type { SubscribeOptions, SubscriptionSettings } from './subscriptions.js';
export * from './generated.js';
