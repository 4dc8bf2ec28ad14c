import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Transaction } from '@scure/btc-signer';
import { LndBackend } from '../../../../src/money/lightning/lnd/index.js';
import { lndCalls } from '../../../../src/money/lightning/lnd.js';
import { ADDRESS_NETWORKS } from '../../../../src/money/onchain/address.js';
import { REPLACEABLE } from '../../../../src/money/onchain/index.js';
import { LndWallet } from '../../../../src/money/onchain/lnd-wallet.js';
import { eventually } from '../../../../src/testing/eventually.js';
import {
  feeOf,
  newLease,
  WalletUnderTest,
  withHigherFee,
  type OnChainBackendFixture,
} from '../../../../src/testing/onchain-backend-fixture.js';
import type { Lnd } from './lnd.js';
import { LndNetwork } from './network.js';
import { Wire } from './wire.js';

/** Longer than LND takes for any call, and soon enough for a test that waits for it. */
const CALL_MS = 6_000;
const FEE_OF_REPLACEMENT_SATS = 20_000n;

interface Opened {
  readonly node: LndBackend;
  readonly wallet: LndWallet;
}

/** The on-chain wallet of a node, by an address that leads to it. */
function openWallet({ certificate, macaroon }: Lnd, address: string): Opened {
  const node = new LndBackend({ address, certificate, macaroon, routeHints: false }, 'regtest', CALL_MS);
  return { node, wallet: new LndWallet(lndCalls(node), 'regtest') };
}

export interface LndChainFixture extends OnChainBackendFixture {
  readonly network: 'regtest';
  readonly nodes: LndNetwork;
  /** Of the node whose wallet it is, where `disconnect` and `loseAnswers` have effect. */
  readonly address: string;
  /** Resolves once the wallet has read the chain up to its tip. */
  synced(): Promise<void>;
}

/** The wallet of node C, which has a channel and, at first, no coins. Node B is the outside: it has those of many blocks. */
export async function openLndChain(): Promise<LndChainFixture> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
  const nodes = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
  await nodes.start();
  const { b, c, btcd } = nodes;
  const [host = '', port] = c.address.split(':');
  const wire = new Wire({ host, port: Number(port) });
  await wire.mend();
  const own = openWallet(c, wire.address);
  const outside = openWallet(b, b.address);
  const synced = async ({ wallet }: Opened): Promise<void> =>
    void (await eventually(async () => {
      const [tip, height] = [await wallet.tip(), await btcd.height()];
      return tip.status === 'known' && tip.height === height;
    }, 60_000));
  const bothSynced = async (): Promise<void> => void (await Promise.all([synced(own), synced(outside)]));
  await bothSynced();

  const payer = new OutsidePayer(outside.wallet);
  const seen = async (txid: string): Promise<string> => {
    await eventually(async () => (await own.wallet.lookup(txid)).status === 'mempool');
    return txid;
  };
  return {
    backend: own.wallet,
    network: 'regtest',
    nodes,
    address: wire.address,
    synced: () => synced(own),
    addressOfOther: () => payer.address(),
    payFromOutside: async (outputs) => seen(await payer.pay(outputs)),
    replaceFromOutside: (txid) => payer.replace(txid),
    mine: async (blocks) => {
      await btcd.mine(blocks);
      await bothSynced();
    },
    reorganise: async (depth) => {
      await nodes.reorganise(depth);
      await bothSynced();
    },
    disconnect: async () => {
      wire.cut();
      await eventually(async () => (await own.wallet.tip()).status === 'unknown');
    },
    loseAnswers: async () => {
      // What a call asks first, who is at the other end, has its answer.
      expect(await own.wallet.tip()).toMatchObject({ status: 'known' });
      wire.loseAnswers();
    },
    reconnect: async () => {
      wire.cut();
      await wire.mend();
      await synced(own);
    },
    close: async () => {
      own.node.onModuleDestroy();
      outside.node.onModuleDestroy();
      wire.cut();
      await nodes.stop();
      if (!process.env['KEEP']) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Another wallet, which replaces what it has sent. */
class OutsidePayer {
  private readonly wallet: WalletUnderTest;
  private readonly sent = new Map<string, string>();

  constructor(private readonly backend: LndWallet) {
    this.wallet = new WalletUnderTest({ backend, addressOfOther: () => this.address() });
  }

  address(): Promise<string> {
    return this.wallet.address();
  }

  async pay(outputs: readonly { readonly address: string; readonly sats: bigint }[]): Promise<string> {
    const funded = await this.wallet.fund({ outputs, satsPerVbyte: 2, lease: newLease() });
    return this.publish(withHigherFee(funded, 0n));
  }

  async replace(txid: string): Promise<string> {
    const psbt = this.sent.get(txid) ?? '';
    const before = Transaction.fromPSBT(Buffer.from(psbt, 'base64'), { allowUnknownInputs: true });
    const instead = new Transaction();
    for (let at = 0; at < before.inputsLength; at++) instead.addInput({ ...before.getInput(at), sequence: REPLACEABLE });
    let sats = -FEE_OF_REPLACEMENT_SATS;
    for (let at = 0; at < before.outputsLength; at++) sats += before.getOutput(at).amount ?? 0n;
    expect(feeOf(psbt)).toBeLessThan(FEE_OF_REPLACEMENT_SATS);
    instead.addOutputAddress(await this.address(), sats, ADDRESS_NETWORKS.regtest);
    return this.publish(Buffer.from(instead.toPSBT()).toString('base64'));
  }

  private async publish(psbt: string): Promise<string> {
    const { rawTransaction, txid } = await this.wallet.finalize(psbt);
    expect(await this.backend.publish(rawTransaction, 'from outside')).toEqual({ status: 'published' });
    this.sent.set(txid, psbt);
    return txid;
  }
}
