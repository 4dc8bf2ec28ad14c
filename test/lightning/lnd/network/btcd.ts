import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { eventually } from '../../../../src/testing/eventually.js';
import { freePort } from '../../../../src/platform/embedded-postgres/index.js';
import { Daemon } from './daemon.js';

const FLAGS = ['regtest', 'txindex', 'rejectnonstd', 'nobanning', 'nostalldetect', 'nodnsseed', 'trickleinterval=100ms'];
const LIMITS = ['rpcmaxwebsockets=50', 'rpcmaxclients=50'];
/** Of a chain that only this machine sees. */
const [USER, PASSWORD] = ['test', 'test'];

/** A regtest chain. btcd deletes its blocks at every start. */
export class Btcd {
  rpcPort = 0;
  private peerPort = 0;
  private daemon: Daemon | undefined;

  constructor(
    private readonly program: string,
    readonly folder: string,
  ) {}

  get flagsForLnd(): string[] {
    return [
      `btcd.rpchost=127.0.0.1:${this.rpcPort}`,
      `btcd.rpcuser=${USER}`,
      `btcd.rpcpass=${PASSWORD}`,
      `btcd.rpccert=${join(this.folder, 'rpc.cert')}`,
    ];
  }

  /** @param miners addresses that get the coins of new blocks */
  async start(miners: readonly string[] = []): Promise<void> {
    if (this.rpcPort === 0) [this.rpcPort, this.peerPort] = [await freePort(), await freePort()];
    mkdirSync(this.folder, { recursive: true });
    const config = join(this.folder, 'btcd.conf');
    writeFileSync(config, '');
    const own = [`configfile=${config}`, `datadir=${this.folder}/data`, `logdir=${this.folder}/logs`];
    const rpc = [`rpcuser=${USER}`, `rpcpass=${PASSWORD}`, `rpccert=${this.folder}/rpc.cert`, `rpckey=${this.folder}/rpc.key`];
    const ports = [`rpclisten=127.0.0.1:${this.rpcPort}`, `listen=127.0.0.1:${this.peerPort}`];
    const flags = [...FLAGS, ...LIMITS, ...own, ...rpc, ...ports, ...miners.map((address) => `miningaddr=${address}`)];
    this.daemon = new Daemon(
      this.program,
      flags.map((flag) => `--${flag}`),
      this.folder,
    );
    await eventually(async () => {
      this.daemon?.assertRuns();
      return Number.isInteger(await this.call('getblockcount'));
    }, 120_000);
  }

  async mine(blocks: number): Promise<void> {
    await this.call('generate', blocks);
  }

  async height(): Promise<number> {
    return (await this.call('getblockcount')) as number;
  }

  /** Forgets the latest blocks. No wallet hears of it, so a chain that has one gets the blocks of another chain instead. */
  async forget(blocks: number): Promise<void> {
    await this.call('invalidateblock', await this.call('getblockhash', (await this.height()) - blocks + 1));
  }

  /** Both have the blocks of the longer chain afterwards. */
  async agreeWith(other: Btcd): Promise<void> {
    const peer = `127.0.0.1:${other.peerPort}`;
    await this.call('node', 'connect', peer, 'temp');
    await eventually(async () => (await this.call('getbestblockhash')) === (await other.call('getbestblockhash')), 60_000);
    await this.call('node', 'disconnect', peer);
  }

  async stop(): Promise<void> {
    await this.daemon?.stop();
  }

  private async call(method: string, ...params: unknown[]): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '1.0', id: 1, method, params });
    const answer = await new Promise<string>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
      const options = {
        host: '127.0.0.1',
        port: this.rpcPort,
        method: 'POST',
        auth: `${USER}:${PASSWORD}`,
        agent: false,
        headers,
      } as const;
      const sent = request({ ...options, ca: readFileSync(join(this.folder, 'rpc.cert')) }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => (text += chunk.toString())).on('end', () => resolve(text));
      });
      sent.on('error', reject).end(body);
    });
    const { error, result } = JSON.parse(answer) as { error: { message: string } | null; result: unknown };
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }
}
