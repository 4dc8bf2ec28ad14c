/** A typed client of Sluice's API, for browsers and for Node: with a document for each operation, and for documents of your own. */
export { createClient, type Client, type ClientOptions } from './client.js';
export type { ClientCredential } from './credential.js';
export type { ArgumentsOf, TypedDocument } from './document.js';
export { RequestError, type RequestErrorKind, type ResponseError } from './request.error.js';
export type { Executed, RequestOptions, RequestSettings } from './requests.js';
export type { SubscribeOptions, SubscriptionSettings } from './subscriptions.js';
export * from './generated.js';
