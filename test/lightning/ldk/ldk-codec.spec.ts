import { randomBytes, randomInt } from 'node:crypto';
import * as ldk from 'lightningdevkit';
import { decodeInvoice, encodeInvoice, type Bolt11Invoice } from '../../../src/money/lightning/index.js';
import { hexOf, LdkNode, loadLdk } from './ldk-node.js';

const COUNT = 400;
const MAX_MSAT = 2_100_000_000_000_000_000n;
const CHARACTERS = [...'abc XYZ 0189 äöü ñ ☕ 漢字 🚀 <>&"\'\\'];
const NETWORKS = ['mainnet', 'testnet', 'signet', 'regtest'] as const;

const hex32 = (): string => randomBytes(32).toString('hex');
const amount = (): bigint => (randomBytes(8).readBigUInt64BE() % 10n ** BigInt(randomInt(1, 19))) + 1n;
const atMost = (most: bigint, value: bigint): bigint => (value > most ? most : value);
const description = (): string => Array.from({ length: randomInt(0, 60) }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('');
const ours = (text: string): Bolt11Invoice => {
  const decoded = decodeInvoice(text);
  if (!decoded.ok) throw new Error(`${decoded.message}: ${text}`);
  return decoded.invoice;
};
const readByLdk = (text: string): ldk.Bolt11Invoice | undefined => {
  const parsed = ldk.Bolt11Invoice.constructor_from_str(text);
  return parsed instanceof ldk.Result_Bolt11InvoiceParseOrSemanticErrorZ_OK ? parsed.res : undefined;
};
const msatOf = (invoice: ldk.Bolt11Invoice): bigint | null => {
  const found = invoice.amount_milli_satoshis();
  return found instanceof ldk.Option_u64Z_Some ? found.some : null;
};

/** Changes one character to another one of the alphabet, or drops or repeats one. */
function mutated(text: string): string {
  // Not at the end: bech32 does not notice a "q" more or less before a last "p".
  const at = randomInt(4, text.length - 6);
  const other = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'[randomInt(32)] as string;
  const piece = [other, '', (text[at] as string) + (text[at] as string)][randomInt(3)] as string;
  return text.slice(0, at) + piece + text.slice(at + 1);
}

beforeAll(() => loadLdk());

describe('LDK and Sluice read the same', () => {
  it(`in ${COUNT} random invoices of Sluice`, () => {
    for (let n = 0; n < COUNT; n++) {
      const invoice = {
        network: NETWORKS[n % NETWORKS.length] as (typeof NETWORKS)[number],
        amountMsat: n % 7 === 0 ? null : atMost(MAX_MSAT, amount()),
        createdAtSeconds: randomInt(1_500_000_000, 2_000_000_000),
        paymentHash: hex32(),
        paymentSecret: hex32(),
        description: description(),
        expirySeconds: randomInt(1, 31_536_000),
        minFinalCltvExpiryDelta: randomInt(18, 2_000),
        ...(n % 5 === 0 && { descriptionHash: hex32() }),
      };
      const text = encodeInvoice(invoice, randomBytes(32));
      const [read, own] = [readByLdk(text), ours(text)];
      if (!read) throw new Error(`LDK refuses ${text}`);
      const { amountMsat, paymentHash, paymentSecret, expirySeconds, minFinalCltvExpiryDelta } = invoice;
      expect({
        amountMsat: msatOf(read),
        paymentHash: hexOf(read.payment_hash()),
        paymentSecret: hexOf(read.payment_secret()),
        expirySeconds: Number(read.expiry_time()),
        minFinalCltvExpiryDelta: Number(read.min_final_cltv_expiry_delta()),
      }).toEqual({ amountMsat, paymentHash, paymentSecret, expirySeconds, minFinalCltvExpiryDelta });
      expect(hexOf(read.get_payee_pub_key())).toBe(own.payeeNodeId);
      expect(read.to_str()).toBe(own.paymentRequest);
    }
  });

  it(`in ${COUNT} random invoices of LDK`, () => {
    const node = new LdkNode();
    for (let n = 0; n < COUNT; n++) {
      const amountMsat = n % 7 === 0 ? null : atMost(10_000_000_000n, amount());
      const option = amountMsat === null ? ldk.Option_u64Z.constructor_none() : ldk.Option_u64Z.constructor_some(amountMsat);
      const [text, expirySeconds] = [description(), randomInt(1, 1_000_000)];
      const made = ldk.UtilMethods.constructor_create_invoice_from_channelmanager(
        node.channels,
        option,
        text,
        expirySeconds,
        ldk.Option_u16Z.constructor_none(),
      );
      if (!(made instanceof ldk.Result_Bolt11InvoiceSignOrCreationErrorZ_OK)) throw new Error('LDK made no invoice');
      const invoice = ours(made.res.to_str());
      expect(invoice).toMatchObject({
        network: 'regtest',
        amountMsat,
        description: text,
        paymentHash: hexOf(made.res.payment_hash()),
        paymentSecret: hexOf(made.res.payment_secret()),
        payeeNodeId: hexOf(node.id),
        minFinalCltvExpiryDelta: Number(made.res.min_final_cltv_expiry_delta()),
      });
      expect(invoice.expiresAt.getTime() - invoice.createdAt.getTime()).toBe(expirySeconds * 1000);
    }
  });

  it(`and refuse ${COUNT} mutated invoices`, () => {
    for (let n = 0; n < COUNT; n++) {
      const facts = { network: 'regtest', createdAtSeconds: 1_800_000_000, paymentHash: hex32(), paymentSecret: hex32() } as const;
      const text = encodeInvoice({ ...facts, amountMsat: amount(), description: description() }, randomBytes(32));
      const wrong = mutated(text);
      if (wrong === text) continue;
      expect({ wrong, ours: decodeInvoice(wrong).ok, ldk: readByLdk(wrong) !== undefined }).toEqual({ wrong, ours: false, ldk: false });
    }
  });
});
