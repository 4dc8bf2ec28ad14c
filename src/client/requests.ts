import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
import { print, type DocumentNode } from 'graphql';
import { RequestError, type RequestErrorKind, type ResponseError } from './request.error.js';

/** At most one credential; without one, the fields that require none are available. */
export interface ClientCredential {
  /** An API key. */
  readonly apiKey?: string;
  /** An OAuth access token, or a function that returns a valid one: it is called for each request and each connection. */
  readonly token?: string | (() => string | Promise<string>);
  /** The token of a session, from `POST /auth/login`. */
  readonly session?: string;
}

/** The credential under the name of its header, which is its name in `connection_init` too. */
export async function headersOf({ apiKey, token, session }: ClientCredential): Promise<Record<string, string>> {
  if (apiKey !== undefined) return { 'X-API-KEY': apiKey };
  if (session !== undefined) return { Authorization: `Bearer ${session}` };
  if (token === undefined) return {};
  return { 'Oauth2-Token': typeof token === 'string' ? token : await token() };
}

const OPTION_OF = { 'X-API-KEY': 'apiKey', Authorization: 'session', 'Oauth2-Token': 'token', 'Idempotency-Key': 'idempotencyKey' };

/** Without this check `fetch` would fail as in an outage. @throws TypeError that names the option, and not its value, which may be a secret */
function checkHeaders(headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers([[name, value]]);
    } catch {
      throw new TypeError(`${OPTION_OF[name as keyof typeof OPTION_OF]} has a character that an HTTP header cannot carry`);
    }
}

/** @throws TypeError for more than one: the server would refuse every request */
export function checkCredential({ apiKey, token, session }: ClientCredential): void {
  if ([apiKey, token, session].filter((each) => each !== undefined).length > 1)
    throw new TypeError('Give one of apiKey, token and session');
}

/**
 * A document that carries the types of its result and its variables, as graphql-codegen generates it: syntax nodes
 * (`TypedDocumentNode`) or text (`TypedDocumentString`).
 */
export type TypedDocument<Data, Variables> = DocumentTypeDecoration<Data, Variables> & object;

/** The arguments after a document: its variables may be left out if all of them are optional. */
export type ArgumentsOf<Variables, Options> =
  Record<never, never> extends Variables ? [variables?: Variables, options?: Options] : [variables: Variables, options?: Options];

/** The text of a document. @throws TypeError for what carries no types, a plain string above all */
export function textOf(document: unknown): string {
  if (document instanceof String) return document.toString();
  if (typeof document === 'object' && document !== null && 'kind' in document) return print(document as DocumentNode);
  throw new TypeError(
    `A document must carry the types of its result: pass one of this package, such as GlobalsDocument, or one from graphql-codegen (given: ${document === null ? 'null' : typeof document})`,
  );
}

/** A payment may take `PAYMENT_WAIT_SECONDS` of the server, 30 by default. */
const TIMEOUT_MS = 60_000;

/** Options of a client for its requests. */
export interface RequestSettings {
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
  /** How long a request may take, 60,000 by default. */
  readonly timeoutMs?: number;
}

/** Options of one request. */
export interface RequestOptions {
  /** Aborts the request; the server may have executed it. */
  readonly signal?: AbortSignal;
  /** Executes a mutation once: a repeat with the same key within 24 hours returns the first response. 1 to 255 printable characters of ASCII. */
  readonly idempotencyKey?: string;
}

/** A response. */
export interface Executed<Data> {
  readonly data: Data;
  readonly extensions: Readonly<Record<string, unknown>>;
  /** Whether this is the response to an earlier request with the same idempotency key. */
  readonly replayed: boolean;
}

interface Body {
  readonly data?: unknown;
  readonly errors?: readonly ResponseError[];
  readonly extensions?: Readonly<Record<string, unknown>>;
  /** Of a refusal before GraphQL. */
  readonly error?: { readonly code?: number; readonly message?: string };
}

/** Queries and mutations over HTTP. */
export class Requests {
  constructor(
    private readonly url: URL,
    private readonly settings: ClientCredential & RequestSettings,
  ) {}

  /** @throws RequestError without a response, or for errors outside of the payload; TypeError for what cannot be sent */
  async execute<Data, Variables>(
    document: TypedDocument<Data, Variables>,
    variables: Variables | undefined,
    { signal, idempotencyKey }: RequestOptions = {},
  ): Promise<Executed<Data>> {
    const headers = {
      accept: 'application/json',
      'content-type': 'application/json',
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(await headersOf(this.settings)),
    };
    checkHeaders(headers);
    const body = JSON.stringify({ query: textOf(document), variables });
    const { response, text } = await this.send({ method: 'POST', headers, body }, signal);
    return resultOf<Data>(response, text);
  }

  private async send(init: RequestInit, own: AbortSignal | undefined): Promise<{ response: Response; text: string }> {
    const { timeoutMs = TIMEOUT_MS } = this.settings;
    const ending = new AbortController();
    const { signal } = ending;
    const aborted = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const abort = (): void => ending.abort(own?.reason);
    const timer = setTimeout(() => ending.abort(new DOMException(`no response within ${timeoutMs} ms`, 'TimeoutError')), timeoutMs);
    own?.addEventListener('abort', abort);
    if (own?.aborted) abort();
    try {
      // Node reclaims the memory of AbortSignal.any, and of what fetch listens by while a response is read: both then miss an abort.
      return await Promise.race([this.exchange({ ...init, signal }), aborted]);
    } catch (cause) {
      if (own?.aborted) throw new RequestError({ kind: 'aborted', message: 'The request was aborted', cause });
      throw new RequestError({ kind: 'connection', message: `No answer: ${(cause as Error).message}`, cause });
    } finally {
      clearTimeout(timer);
      own?.removeEventListener('abort', abort);
    }
  }

  private async exchange(init: RequestInit): Promise<{ response: Response; text: string }> {
    const ask = this.settings.fetch ?? fetch;
    // A redirect would hand the credential to another address.
    const response = await ask(this.url, { ...init, redirect: 'error' });
    return { response, text: await response.text() };
  }
}

function resultOf<Data>(response: Response, text: string): Executed<Data> {
  const { status, headers } = response;
  const body = bodyOf(text);
  const { data, errors = [], extensions = {}, error } = body ?? {};
  const kind = kindOf(status, body);
  if (kind === 'result') return { data: data as Data, extensions, replayed: headers.get('idempotency-replayed') === 'true' };
  const retryAfterSeconds = secondsOf(headers.get('retry-after'));
  const said = kind === 'connection' ? undefined : (error?.message ?? errors[0]?.message);
  const message = said ?? `The answer is not one of the API (HTTP ${status})`;
  throw new RequestError({ kind, message, status, retryAfterSeconds, ...(kind !== 'connection' && { errors, data }) });
}

/** What an answer is. Only a refusal in the form that the server gives it proves that nothing was executed: proxies answer in JSON too. */
function kindOf(status: number, body: Body | undefined): RequestErrorKind | 'result' {
  const hasErrors = Array.isArray(body?.errors) && body.errors.length > 0;
  if (status === 200 && body) return hasErrors ? 'graphql' : 'data' in body ? 'result' : 'connection';
  const isRefusal = hasErrors || (body !== undefined && body.error?.code === status);
  return isRefusal && (status === 503 || (status >= 400 && status < 500)) ? 'http' : 'connection';
}

function bodyOf(text: string): Body | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : undefined;
  } catch {
    return undefined;
  }
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d+$/.test(header) ? Number(header) : undefined;
}
