import { createHash } from 'node:crypto';
import { decodeInvoice, encodeInvoice } from '../../../src/money/lightning/index.js';
import { eventually } from '../../../src/testing/eventually.js';
import { LdkNetwork } from './ldk-network.js';
import { loadLdk } from './ldk-node.js';

const SATS = 1_000n;
const FEE_LIMIT_MSAT = 100n * SATS;

describe('LDK nodes', () => {
  let network: LdkNetwork;

  beforeAll(async () => {
    await loadLdk();
    network = new LdkNetwork();
    await network.start();
    await network.untilAnnounced(async () => {
      const { paymentRequest, paymentHash } = invoiceOfC(10_000n * SATS);
      return (await network.pay(paymentRequest, paymentHash, FEE_LIMIT_MSAT)) !== 'failed';
    });
  });
  afterAll(() => network.stop());

  /** An invoice of node C, which Sluice has written and signed with C's key. */
  const invoiceOfC = (amountMsat: bigint): { paymentRequest: string; paymentHash: string } => {
    const { paymentHash, paymentSecret } = network.c.expectPayment(amountMsat);
    const facts = { network: 'regtest', createdAtSeconds: Math.floor(Date.now() / 1000), description: 'from Sluice ☕' } as const;
    const invoice = { ...facts, amountMsat, paymentHash, paymentSecret, minFinalCltvExpiryDelta: 80 };
    const paymentRequest = encodeInvoice(invoice, network.c.privateKey);
    expect(decodeInvoice(paymentRequest)).toMatchObject({ ok: true, invoice: { payeeNodeId: Buffer.from(network.c.id).toString('hex') } });
    return { paymentRequest, paymentHash };
  };

  it('pay an invoice that Sluice has written, over two hops, for a fee within the limit, with the preimage as proof', async () => {
    for (const sats of [5_000n, 12_345n, 50_000n]) {
      const { paymentRequest, paymentHash } = invoiceOfC(sats * SATS);
      const end = await network.pay(paymentRequest, paymentHash, FEE_LIMIT_MSAT);
      if (end === 'failed') throw new Error(`The payment of ${sats} sats failed`);
      expect(createHash('sha256').update(end.preimage, 'hex').digest('hex')).toBe(paymentHash);
      expect(end.feeMsat).toBeGreaterThan(0n);
      expect(end.feeMsat).toBeLessThanOrEqual(FEE_LIMIT_MSAT);
    }
  });

  it('keep a payment of it in flight until the payee claims it', async () => {
    network.c.claims = false;
    const { paymentRequest, paymentHash } = invoiceOfC(6_000n * SATS);
    network.a.send(paymentRequest, FEE_LIMIT_MSAT);
    await eventually(() => network.c.held.has(paymentHash));
    expect(network.a.endOf(paymentHash)).toBeUndefined();
    network.c.channels.fail_htlc_backwards(Uint8Array.from(Buffer.from(paymentHash, 'hex')));
    expect(await eventually(() => network.a.endOf(paymentHash))).toBe('failed');
    network.c.claims = true;
  });

  it('find no route to it within too small a fee', () => {
    const { paymentRequest } = invoiceOfC(7_000n * SATS);
    expect(() => network.a.send(paymentRequest, 0n)).toThrow('LDK does not send the payment');
  });
});
