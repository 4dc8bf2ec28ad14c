import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { fileURLToPath } from 'node:url';
import { Client, connectivityState, credentials, Metadata, status, type ChannelCredentials, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition } from '@grpc/proto-loader';
import type { LndAccess } from '../lnd.settings.js';
import type { LndStreamCalls, LndUnaryCalls } from './lnd-calls.js';

const OWN_FOLDER = fileURLToPath(new URL('proto', import.meta.url));

/** @param folder the `.proto` files: those of this folder have what Sluice calls */
export function loadLndServices(
  files: readonly string[] = ['lightning.proto', 'router.proto', 'invoices.proto', 'walletkit.proto', 'chainkit.proto'],
  folder = OWN_FOLDER,
): ReturnType<typeof loadSync> {
  return loadSync([...files], { includeDirs: [folder], keepCase: true, longs: String, enums: String, defaults: true, oneofs: true });
}

/** No retries: a payment that a library repeats may reach the node after its money was released. */
const OPTIONS = {
  'grpc.enable_retries': 0,
  'grpc.keepalive_time_ms': 30_000,
  'grpc.keepalive_timeout_ms': 10_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.initial_reconnect_backoff_ms': 250,
  'grpc.min_reconnect_backoff_ms': 250,
  'grpc.max_reconnect_backoff_ms': 10_000,
  'grpc.max_receive_message_length': 32 * 2 ** 20,
};

type Request<Calls, Path extends keyof Calls> = Calls[Path] extends [infer First, unknown] ? First : never;
type Answer<Calls, Path extends keyof Calls> = Calls[Path] extends [unknown, infer Second] ? Second : never;

/** One gRPC channel to the node. It connects again by itself. */
export class LndConnection {
  /** Read for the first connection: it takes tens of milliseconds, and a look-up may have a connection of its own. */
  private static services: ReturnType<typeof loadLndServices> | undefined;
  private readonly services = (LndConnection.services ??= loadLndServices());
  private readonly client: Client;
  private readonly endings: (() => void)[] = [];
  private opened = 0;
  private closed = false;

  constructor(
    { address, certificate, macaroon }: LndAccess,
    private readonly callMs: number,
  ) {
    // Each has a connection of its own: the library would share one between channels.
    const options = { ...OPTIONS, ...nameOf(address, certificate), 'grpc.use_local_subchannel_pool': 1 };
    this.client = new Client(address, credentialsOf(certificate, macaroon), options);
    this.watch();
  }

  /** It differs from the number of every other connection, so a caller knows whether two answers came by the same one; undefined without one. */
  get number(): number | undefined {
    return this.client.getChannel().getConnectivityState(true) === connectivityState.READY ? this.opened : undefined;
  }

  /** Resolves once the connection of this number has ended. */
  ended(number: number): Promise<void> {
    return this.number === number ? new Promise((resolve) => this.endings.push(resolve)) : Promise.resolve();
  }

  get count(): number {
    return this.opened;
  }

  call<Path extends keyof LndUnaryCalls>(path: Path, request: Request<LndUnaryCalls, Path>): Promise<Answer<LndUnaryCalls, Path>> {
    const { path: url, requestSerialize, responseDeserialize } = this.methodOf(path);
    return new Promise((resolve, reject) => {
      const options = { deadline: Date.now() + this.callMs };
      const answer = (error: ServiceError | null, value?: object): void =>
        error ? reject(error) : resolve(value as Answer<LndUnaryCalls, Path>);
      this.client.makeUnaryRequest(url, requestSerialize, responseDeserialize, request as object, new Metadata(), options, answer);
    });
  }

  /**
   * Reads only as fast as the caller does. Ends on the signal.
   * @param mayWrite asked by the library just before it writes the request, which may be long after this call; false: it throws instead
   * @throws ServiceError when the node or the connection ends it
   */
  async *stream<Path extends keyof LndStreamCalls>(
    path: Path,
    request: Request<LndStreamCalls, Path>,
    signal: AbortSignal,
    mayWrite?: () => boolean,
  ): AsyncGenerator<Answer<LndStreamCalls, Path>, void> {
    if (signal.aborted) return;
    const { path: url, requestSerialize, responseDeserialize } = this.methodOf(path);
    // The library asks for the credentials of a call, and writes it to the connection before anything else runs.
    const ifMayWrite = credentials.createFromMetadataGenerator((_, done) =>
      mayWrite?.() === false ? done(new Error('It was not written')) : done(null, new Metadata()),
    );
    const options = { credentials: ifMayWrite };
    const call = this.client.makeServerStreamRequest(
      url,
      requestSerialize,
      responseDeserialize,
      request as object,
      new Metadata(),
      options,
    );
    const cancel = (): void => call.cancel();
    // A cancelled call emits an error after its reader has left.
    call.on('error', () => undefined);
    signal.addEventListener('abort', cancel);
    try {
      for await (const message of call) yield message as Answer<LndStreamCalls, Path>;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      signal.removeEventListener('abort', cancel);
      call.cancel();
    }
  }

  close(): void {
    this.closed = true;
    this.client.close();
  }

  private methodOf(path: string): MethodDefinition<object, object> {
    const [service = '', method = ''] = path.split('/');
    return (this.services[service] as Record<string, MethodDefinition<object, object>>)[method] as MethodDefinition<object, object>;
  }

  private watch(): void {
    const channel = this.client.getChannel();
    const state = channel.getConnectivityState(true);
    // Only a connection that is ready is waited for, and this runs whenever the state has changed.
    for (const end of this.endings.splice(0)) end();
    if (state === connectivityState.READY) this.opened++;
    channel.watchConnectivityState(state, Infinity, (error) => {
      if (!error && !this.closed) this.watch();
    });
  }
}

function credentialsOf(certificate: Buffer | undefined, macaroon: string): ChannelCredentials {
  const withMacaroon = credentials.createFromMetadataGenerator((_, done) => {
    const metadata = new Metadata();
    metadata.set('macaroon', macaroon);
    done(null, metadata);
  });
  return credentials.combineChannelCredentials(credentials.createSsl(certificate ?? null), withMacaroon);
}

/** A pinned certificate need not be asked for the name of an address: any name of its own will do, and TLS has no names for addresses. */
function nameOf(address: string, certificate: Buffer | undefined): object {
  const host = address.replace(/:\d+$/, '').replace(/^\[|\]$/g, '');
  if (!certificate || isIP(host) === 0) return {};
  const [, name] = /DNS:([^,\s]+)/.exec(new X509Certificate(certificate).subjectAltName ?? '') ?? [];
  return name === undefined ? {} : { 'grpc.ssl_target_name_override': name };
}

/** gRPC's library reports these itself; any other code is the node's own refusal. */
const OF_TRANSPORT: ReadonlySet<number> = new Set([
  status.CANCELLED,
  status.DEADLINE_EXCEEDED,
  status.INTERNAL,
  status.RESOURCE_EXHAUSTED,
  status.UNAVAILABLE,
]);

export const codeOf = (error: unknown): number | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;

export const wordsOf = (error: unknown): string =>
  (error as ServiceError).details || (error instanceof Error ? error.message : String(error));

export function isRefusal(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && !OF_TRANSPORT.has(code);
}

export const isNotFound = (error: unknown): boolean => codeOf(error) === status.NOT_FOUND;
export const isAlreadyKnown = (error: unknown): boolean => codeOf(error) === status.ALREADY_EXISTS;
const PROBLEMS: readonly (readonly [string, RegExp, string])[] = [
  [
    'expired',
    /certificate has expired/i,
    'its certificate has expired. Delete tls.cert and tls.key at the node, restart it, and set LND_TLS_CERT',
  ],
  ['host', /altname|does not match certificate/i, 'its certificate is for another host than the one in LND_ADDRESS'],
  ['certificate', /self.signed|unable to (verify|get)|DEPTH_ZERO/i, 'its certificate is not the one in LND_TLS_CERT'],
  ['locked', /wallet (is )?locked|wallet not created|unlock it/i, 'its wallet is locked: unlock it with "lncli unlock"'],
  ['starting', /starting up|not active yet|still syncing|in the process of/i, 'it is starting'],
  ['behind', /not synced to the chain/i, 'it is behind'],
  ['macaroon', /macaroon|permission denied|verification failed/i, 'it does not accept LND_MACAROON: make another'],
];

/** Why a node cannot be used, in plain words; `kind` is the same for the same problem. */
export function problemOf(error: unknown): { readonly kind: string; readonly text: string } {
  const words = wordsOf(error);
  const [kind, , text] = PROBLEMS.find(([, pattern]) => pattern.test(words)) ?? [];
  if (kind !== undefined) return { kind, text: `${String(text)} (${words})` };
  return codeOf(error) === status.UNAVAILABLE
    ? { kind: 'unreachable', text: `it does not answer (${words})` }
    : { kind: 'other', text: words };
}

/** LND gives these refusals no code of their own. */
export const isDuplicate = (error: unknown): boolean => /already exists/.test(wordsOf(error));
export const isExpired = (error: unknown): boolean => /invoice expired/.test(wordsOf(error));
