import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeInvoice } from '../../../../src/money/lightning/index.js';
import { paymentHashOf } from '../../../../src/platform/kernel/payment-hash.js';
import { LndBackend } from '../../../../src/money/lightning/lnd/index.js';
import { eventually } from '../../../../src/testing/eventually.js';
import { lightningBackendContract } from '../../../../src/testing/lightning-backend-contract.js';
import { LndNetwork } from './network.js';
import { Wire } from './wire.js';

const hex32 = (): string => randomBytes(32).toString('hex');

describe('a real LND node is a Lightning back end', () => {
  lightningBackendContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
    const network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
    await network.start();
    const { a, c } = network;
    const [host = '', port] = a.address.split(':');
    const wire = new Wire({ host, port: Number(port) });
    await wire.mend();
    const backend = new LndBackend(
      { address: wire.address, certificate: a.certificate, macaroon: a.macaroon, routeHints: false },
      'regtest',
      15_000,
    );
    const isReady = async (): Promise<boolean> => (await backend.info()).status === 'ready';
    await eventually(isReady);
    return {
      backend,
      network: 'regtest',
      invoiceOfOther: async (amountMsat) => {
        const made = await c.call('lnrpc.Lightning/AddInvoice', { value_msat: String(amountMsat ?? 0n) });
        return made['payment_request'] as string;
      },
      invoiceOutOfReach: (amountMsat) => {
        const invoice = { network: 'regtest', amountMsat, paymentHash: hex32(), paymentSecret: hex32(), description: '' } as const;
        const createdAtSeconds = Math.floor(Date.now() / 1000);
        return Promise.resolve(encodeInvoice({ ...invoice, createdAtSeconds, minFinalCltvExpiryDelta: 80 }, randomBytes(32)));
      },
      payFromOutside: (paymentRequest, amountMsat) => c.pay(paymentRequest, amountMsat),
      hold: async (amountMsat) => {
        const preimage = randomBytes(32);
        const payment_hash = Buffer.from(paymentHashOf(preimage.toString('hex')), 'hex');
        const asked = { hash: payment_hash, value_msat: String(amountMsat), cltv_expiry: '80' };
        const { payment_request: paymentRequest } = await c.call('invoicesrpc.Invoices/AddHoldInvoice', asked);
        const hasArrived = async (): Promise<boolean> =>
          (await c.call('invoicesrpc.Invoices/LookupInvoiceV2', { payment_hash }))['state'] === 'ACCEPTED';
        const end = async (method: 'SettleInvoice' | 'CancelInvoice', request: object): Promise<void> => {
          await eventually(hasArrived);
          await c.call(`invoicesrpc.Invoices/${method}`, request);
        };
        return {
          paymentRequest: paymentRequest as string,
          settle: () => end('SettleInvoice', { preimage }),
          fail: () => end('CancelInvoice', { payment_hash }),
        };
      },
      // LND's default policy at B: 1 sat and a millionth of the amount, in whole msat.
      expensiveInvoice: async (amountMsat) => {
        const made = await c.call('lnrpc.Lightning/AddInvoice', { value_msat: String(amountMsat) });
        return { paymentRequest: made['payment_request'] as string, feeMsat: 1_000n + amountMsat / 1_000_000n };
      },
      disconnect: async () => {
        wire.cut();
        await eventually(async () => !(await isReady()));
      },
      reconnect: async () => {
        await wire.mend();
        await eventually(isReady);
      },
      close: async () => {
        backend.onModuleDestroy();
        wire.cut();
        await network.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});
