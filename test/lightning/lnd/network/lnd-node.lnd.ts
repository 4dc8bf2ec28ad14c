import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeInvoice } from '../../../../src/lightning/index.js';
import { LndBackend } from '../../../../src/lightning/lnd/index.js';
import { eventually } from '../../../../src/testing/eventually.js';
import { lightningBackendContract } from '../../../../src/testing/lightning-backend-contract.js';
import { LndNetwork } from './network.js';

const hex32 = (): string => randomBytes(32).toString('hex');

describe('a real LND node is a Lightning back end', () => {
  lightningBackendContract(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-lnd-'));
    const network = new LndNetwork(process.env['LND_BINARIES'] ?? '', folder);
    await network.start();
    const { a, c } = network;
    const backend = new LndBackend({ address: a.address, certificate: a.certificate, macaroon: a.macaroon }, 'regtest', false, 15_000);
    await eventually(async () => (await backend.info()).status === 'ready');
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
      close: async () => {
        backend.onModuleDestroy();
        await network.stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  });
});
