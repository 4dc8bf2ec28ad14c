import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { MethodDefinition } from '@grpc/proto-loader';
import { eventually } from '../../../../src/testing/eventually.js';
import type { Btcd } from './btcd.js';
import { freePort } from '../../../../src/platform/embedded-postgres/index.js';
import { Daemon } from './daemon.js';
import { lndsOwnServices } from './protos.js';

const FLAGS = [
  ...['noseedbackup', 'bitcoin.regtest', 'bitcoin.node=btcd', 'norest', 'nobootstrap', 'bitcoin.defaultchanconfs=1'],
  // Waits of LND that only delay tests.
  ...['trickledelay=50', 'gossip.sub-batch-delay=5ms', 'caches.rpc-graph-cache-duration=100ms', 'db.batch-commit-interval=10ms'],
  ...['channel-commit-interval=5ms', 'keep-failed-payment-attempts'],
];

const services = lndsOwnServices();

/** A call of any method of LND. */
export type LndAnswer = Record<string, unknown>;

/** One LND node. */
export class Lnd {
  private grpcPort = 0;
  peerPort = 0;
  private daemon: Daemon | undefined;
  private client: Client | undefined;

  constructor(
    readonly name: string,
    private readonly program: string,
    readonly folder: string,
    private readonly btcd: Btcd,
  ) {}

  get address(): string {
    return `127.0.0.1:${this.grpcPort}`;
  }

  private get certificateFile(): string {
    return join(this.folder, 'tls.cert');
  }

  get certificate(): Buffer {
    return readFileSync(this.certificateFile);
  }

  get macaroon(): string {
    return readFileSync(join(this.folder, 'data/chain/bitcoin/regtest/admin.macaroon')).toString('hex');
  }

  async start(): Promise<void> {
    if (this.grpcPort === 0) [this.grpcPort, this.peerPort] = [await freePort(), await freePort()];
    const own = [`lnddir=${this.folder}`, `alias=${this.name}`, `rpclisten=${this.address}`];
    const peers = [`listen=127.0.0.1:${this.peerPort}`, `externalip=127.0.0.1:${this.peerPort}`];
    const flags = [...FLAGS, ...this.btcd.flagsForLnd, ...own, ...peers];
    this.daemon = new Daemon(
      this.program,
      flags.map((flag) => `--${flag}`),
      this.folder,
    );
    await eventually(() => {
      this.daemon?.assertRuns();
      // LND creates the file before it writes it: a client with half of it trusts no node.
      return existsSync(this.certificateFile) && this.certificate.toString().trimEnd().endsWith('-----END CERTIFICATE-----');
    }, 120_000);
    this.client = new Client(this.address, credentials.createSsl(this.certificate), {
      'grpc.ssl_target_name_override': 'localhost',
      'grpc.initial_reconnect_backoff_ms': 50,
      'grpc.max_reconnect_backoff_ms': 500,
    });
    await eventually(async () => {
      this.daemon?.assertRuns();
      return ['RPC_ACTIVE', 'SERVER_ACTIVE'].includes((await this.call('lnrpc.State/GetState', {}, false))['state'] as string);
    }, 120_000);
  }

  /** Calls a method as the node's administrator. */
  call(path: string, request: object = {}, withMacaroon = true): Promise<LndAnswer> {
    const [service = '', method = ''] = path.split('/');
    const {
      path: url,
      requestSerialize,
      responseDeserialize,
    } = (services[service] as Record<string, MethodDefinition<object, object>>)[method] as MethodDefinition<object, object>;
    const metadata = new Metadata();
    if (withMacaroon) metadata.set('macaroon', this.macaroon);
    return new Promise((resolve, reject) => {
      const answer = (error: ServiceError | null, value?: object): void => (error ? reject(error) : resolve(value as LndAnswer));
      this.client?.makeUnaryRequest(
        url,
        requestSerialize,
        responseDeserialize,
        request,
        metadata,
        { deadline: Date.now() + 30_000 },
        answer,
      );
    });
  }

  /** @returns the node's own status of a payment; undefined if it knows none */
  async paymentStatus(paymentHash: string): Promise<string | undefined> {
    const { payments } = await this.call('lnrpc.Lightning/ListPayments', { include_incomplete: true, max_payments: '1000' });
    return (payments as { payment_hash: string; status: string }[]).find((payment) => payment.payment_hash === paymentHash)?.status;
  }

  /** Pays an invoice, whatever the route costs up to 1,000 sats. @returns whether it was paid */
  async pay(paymentRequest: string, amountMsat?: bigint): Promise<boolean> {
    const { path, requestSerialize, responseDeserialize } = (
      services['routerrpc.Router'] as Record<string, MethodDefinition<object, object>>
    )['SendPaymentV2'] as MethodDefinition<object, object>;
    const metadata = new Metadata();
    metadata.set('macaroon', this.macaroon);
    const request = { payment_request: paymentRequest, fee_limit_sat: '1000', timeout_seconds: 15, amt_msat: String(amountMsat ?? 0n) };
    const stream = this.client?.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
    try {
      for await (const update of stream ?? []) {
        const { status } = update as { status: string };
        if (status === 'SUCCEEDED' || status === 'FAILED') return status === 'SUCCEEDED';
      }
    } catch {
      // Already paid, cancelled or expired.
    }
    return false;
  }

  /** Broadcasts the commitment of the only channel with a node, with the payments in flight that it has. */
  async forceClose(withPubkey: string): Promise<void> {
    const { channels } = await this.call('lnrpc.Lightning/ListChannels', { peer: Buffer.from(withPubkey, 'hex') });
    const [funding = '', output] = (channels as { channel_point: string }[])[0]?.channel_point.split(':') ?? [];
    const { path, requestSerialize, responseDeserialize } = (
      services['lnrpc.Lightning'] as Record<string, MethodDefinition<object, object>>
    )['CloseChannel'] as MethodDefinition<object, object>;
    const metadata = new Metadata();
    metadata.set('macaroon', this.macaroon);
    const request = { channel_point: { funding_txid_str: funding, output_index: Number(output) }, force: true };
    const stream = this.client?.makeServerStreamRequest(path, requestSerialize, responseDeserialize, request, metadata);
    // The first update says that the transaction was published, and the stream lasts until it is confirmed.
    stream?.on('error', () => undefined);
    await new Promise<void>((resolve, reject) => stream?.once('data', () => resolve()).once('error', reject));
    stream?.cancel();
  }

  /** The node is stopped, copied with everything that it stores, and started again. @returns what puts a stopped node back into that state */
  async backUp(): Promise<() => void> {
    const copy = `${this.folder}.copy`;
    await this.stop();
    cpSync(this.folder, copy, { recursive: true });
    await this.start();
    await this.waitUntilSynced();
    return () => {
      rmSync(this.folder, { recursive: true });
      cpSync(copy, this.folder, { recursive: true });
    };
  }

  async pubkey(): Promise<string> {
    return (await this.call('lnrpc.Lightning/GetInfo'))['identity_pubkey'] as string;
  }

  async waitUntilSynced(): Promise<void> {
    await eventually(async () => {
      this.daemon?.assertRuns();
      const { state } = await this.call('lnrpc.State/GetState', {}, false);
      return state === 'SERVER_ACTIVE' && (await this.call('lnrpc.Lightning/GetInfo'))['synced_to_chain'] === true;
    }, 120_000);
  }

  async stop(signal?: NodeJS.Signals): Promise<void> {
    this.client?.close();
    await this.daemon?.stop(signal);
  }
}
