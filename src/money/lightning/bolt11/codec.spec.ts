import { bech32 } from '@scure/base';
import fc from 'fast-check';
import { pointFromScalar } from 'tiny-secp256k1';
import { MAX_AMOUNT_MSAT } from '../../../platform/kernel/money.js';
import { decodeInvoice } from './decode.js';
import { encodeInvoice, type InvoiceToEncode } from './encode.js';
import { amountOfMsat, Bolt11Error, msatOfAmount } from './invoice.js';

const KEY = Buffer.alloc(32, 7);
const NODE = Buffer.from(pointFromScalar(KEY, true) ?? []).toString('hex');
const CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';

const hex32 = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString('hex'));
const text = fc.string({ unit: 'grapheme', maxLength: 80 }).filter((value) => !value.includes('\0'));
const description: fc.Arbitrary<Pick<InvoiceToEncode, 'description' | 'descriptionHash'>> = fc.oneof(
  fc.record({ description: text }),
  fc.record({ descriptionHash: hex32 }),
);
const invoices: fc.Arbitrary<InvoiceToEncode> = fc
  .record({
    network: fc.constantFrom('mainnet', 'testnet', 'signet', 'regtest'),
    amountMsat: fc.option(fc.bigInt(1n, MAX_AMOUNT_MSAT)),
    createdAtSeconds: fc.nat(2 ** 31),
    paymentHash: hex32,
    paymentSecret: hex32,
    expirySeconds: fc.option(fc.nat(10 ** 8), { nil: undefined }),
    minFinalCltvExpiryDelta: fc.option(fc.integer({ min: 1, max: 2_016 }), { nil: undefined }),
  })
  .chain((invoice) => description.map((described) => ({ ...invoice, ...described })));

const base: InvoiceToEncode = {
  network: 'regtest',
  amountMsat: 1_000n,
  createdAtSeconds: 1_700_000_000,
  paymentHash: 'ab'.repeat(32),
  paymentSecret: 'cd'.repeat(32),
  description: 'coffee',
};

/** A valid invoice with changed words and a recomputed checksum: the checks beyond bech32 have to reject it. */
function tampered(invoice: string, change: (words: number[]) => number[]): string {
  const { prefix, words } = bech32.decode(invoice as `${string}1${string}`, false);
  return bech32.encode(prefix, change([...words]), false);
}

describe('the BOLT 11 codec', () => {
  it('decodes what it encoded', () => {
    fc.assert(
      fc.property(invoices, (invoice) => {
        const paymentRequest = encodeInvoice(invoice, KEY);
        const { network, amountMsat, paymentHash, paymentSecret, createdAtSeconds, expirySeconds = 3_600 } = invoice;
        expect(decodeInvoice(paymentRequest)).toMatchObject({
          ok: true,
          invoice: {
            ...{ paymentRequest, network, amountMsat, paymentHash, paymentSecret, payeeNodeId: NODE, features: [8, 14, 17] },
            description: invoice.description ?? null,
            descriptionHash: invoice.descriptionHash ?? null,
            createdAt: new Date(createdAtSeconds * 1000),
            expiresAt: new Date((createdAtSeconds + expirySeconds) * 1000),
            minFinalCltvExpiryDelta: invoice.minFinalCltvExpiryDelta ?? 18,
          },
        });
      }),
    );
  });

  it('returns a result for every string and never throws', () => {
    const strings = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom(...CHARSET), maxLength: 400 }).map((data) => `lnbcrt1${data}`),
      fc
        .tuple(fc.constantFrom('lnbcrt', 'lntb20m', 'lnbc1u', 'ln'), fc.array(fc.nat(31), { maxLength: 300 }))
        .map(([prefix, words]) => bech32.encode(prefix, words, false)),
    );
    fc.assert(
      fc.property(strings, (value) => expect(decodeInvoice(value).ok).toBe(false)),
      { numRuns: 2_000 },
    );
  });

  it('refuses an invoice with one changed letter', () => {
    const invoice = encodeInvoice(base, KEY);
    const change = fc.tuple(fc.nat(invoice.length - 1), fc.constantFrom(...CHARSET, '1', 'b', 'B', ' ', 'İ', '\u212a'));
    fc.assert(
      fc.property(change, ([at, letter]) => {
        fc.pre(invoice[at] !== letter);
        expect(decodeInvoice(invoice.slice(0, at) + letter + invoice.slice(at + 1)).ok).toBe(false);
      }),
    );
  });

  it('never attributes a tampered invoice to its signer', () => {
    fc.assert(
      fc.property(invoices, fc.nat(), fc.nat(31), fc.constantFrom('change', 'cut', 'insert'), (invoice, where, word, how) => {
        const original = encodeInvoice(invoice, KEY);
        // From here on the decoder has cached the signer of this invoice; the tampered one must not match it.
        expect(decodeInvoice(original)).toMatchObject({ ok: true, invoice: { payeeNodeId: NODE } });
        const decoded = decodeInvoice(
          tampered(original, (words) => words.toSpliced(where % words.length, how === 'insert' ? 0 : 1, ...(how === 'cut' ? [] : [word]))),
        );
        if (decoded.ok && decoded.invoice.paymentRequest !== original) expect(decoded.invoice.payeeNodeId).not.toBe(NODE);
      }),
      { numRuns: 500 },
    );
  });

  it('accepts the lightning: scheme, surrounding spaces and upper case', () => {
    const invoice = encodeInvoice(base, KEY);
    for (const written of [` ${invoice}\n`, `lightning:${invoice}`, `LIGHTNING:${invoice.toUpperCase()}`]) {
      expect(decodeInvoice(written)).toMatchObject({ ok: true, invoice: { paymentRequest: invoice } });
    }
  });

  it('refuses a text longer than any invoice, before decoding it', () => {
    expect(decodeInvoice(`lnbcrt1${'q'.repeat(7_090)}`)).toMatchObject({ ok: false, problem: 'malformed' });
    expect(decodeInvoice('l'.repeat(1_000_000))).toMatchObject({ ok: false, problem: 'malformed' });
    expect(decodeInvoice(bech32.encode(`lnbc${'9'.repeat(60)}m`, new Array<number>(200).fill(0), false))).toMatchObject({
      problem: 'amount',
    });
  });

  it('limits any expiry to the range of dates', () => {
    const forever = encodeInvoice({ ...base, expirySeconds: Number.MAX_SAFE_INTEGER }, KEY);
    expect(decodeInvoice(forever)).toMatchObject({ ok: true, invoice: { expiresAt: new Date('9999-12-31T23:59:59Z') } });
  });

  // A field right after the timestamp precedes all others of its kind; the decoder checks the signature last.
  it.each([
    ['two payment hashes', [1, 1, 20, ...new Array<number>(52).fill(1)], 'field'],
    ['two payment secrets', [16, 1, 20, ...new Array<number>(52).fill(1)], 'field'],
    ['an expiry with a leading zero', [6, 0, 2, 0, 1], 'field'],
    ['an expiry of many zeros', [6, 0, 3, 0, 0, 0], 'field'],
    ['a delay with a leading zero', [24, 0, 2, 0, 18], 'field'],
    ['two descriptions', [23, 1, 20, ...new Array<number>(52).fill(1)], 'field'],
    ['a description that is not UTF-8', [13, 0, 4, 31, 31, 31, 31], 'field'],
    ['a NUL in the description', [13, 0, 2, 0, 0], 'field'],
    ['parts offered without a payment secret', [5, 0, 4, 2, 0, 0, 0], 'feature'],
    ['a demand that is not known', [5, 0, 1, 1], 'feature'],
    ['a field that ends beyond the invoice', [2, 31, 31], 'malformed'],
    ['a field without a length', [2, 0], 'malformed'],
  ])('refuses %s', (_, field, problem) => {
    const invoice = tampered(encodeInvoice(base, KEY), (words) =>
      field.length === 2 ? words.toSpliced(-104, 0, ...field) : words.toSpliced(7, 0, ...field),
    );
    expect(decodeInvoice(invoice)).toMatchObject({ ok: false, problem });
  });

  it.each([
    ['payment secret', 7],
    ['payment hash', 62],
    ['description', 117],
  ])('refuses an invoice without a %s', (name, at) => {
    const unknownTag = 2;
    const invoice = tampered(encodeInvoice(base, KEY), (words) => words.with(at, unknownTag));
    expect(decodeInvoice(invoice)).toEqual({ ok: false, problem: 'missing', message: `The invoice has no ${name}` });
  });

  it('refuses two hashes of descriptions, and skips one of another length', () => {
    const invoice = encodeInvoice({ ...base, description: undefined, descriptionHash: 'ef'.repeat(32) }, KEY);
    const withField = (length: number): string =>
      tampered(invoice, (words) => words.toSpliced(7, 0, 23, 1, length - 32, ...new Array<number>(length).fill(1)));
    expect(decodeInvoice(withField(52))).toMatchObject({ ok: false, problem: 'field' });
    expect(decodeInvoice(withField(51))).not.toMatchObject({ problem: 'field' });
  });

  it('refuses unknown networks', () => {
    const { words } = bech32.decode(encodeInvoice(base, KEY) as `${string}1${string}`, false);
    for (const prefix of ['lnsb', 'lnbcrtx', 'ln', 'lnltc1u'])
      expect(decodeInvoice(bech32.encode(prefix, words, false))).toMatchObject({ problem: 'network' });
  });

  it.each([0n, -1n, MAX_AMOUNT_MSAT + 1n])('does not encode an amount of %d', (amountMsat) => {
    expect(() => encodeInvoice({ ...base, amountMsat }, KEY)).toThrow(Bolt11Error);
  });

  it('does not encode a description of more than 639 bytes', () => {
    expect(() => encodeInvoice({ ...base, description: 'é'.repeat(320) }, KEY)).toThrow(Bolt11Error);
    expect(decodeInvoice(encodeInvoice({ ...base, description: 'x'.repeat(639) }, KEY)).ok).toBe(true);
  });
});

describe('amounts', () => {
  it.each([
    ['1', 100_000_000_000n],
    ['21000000', MAX_AMOUNT_MSAT],
    ['10p', 1n],
    ['1n', 100n],
    ['2500u', 250_000_000n],
  ])('decode %s', (written, msat) => {
    expect(msatOfAmount(written)).toBe(msat);
    expect(amountOfMsat(msat)).toBe(written);
  });

  it.each(['0', '00', '01', '0p', '1p', '15p', '21000001', 'm', '1x', '-1', '1.5', '1e3', '٣', '9'.repeat(21)])('refuse %s', (written) => {
    expect(() => msatOfAmount(written)).toThrow(Bolt11Error);
  });

  it('decode to what was encoded', () => {
    fc.assert(fc.property(fc.bigInt(1n, MAX_AMOUNT_MSAT), (msat) => expect(msatOfAmount(amountOfMsat(msat))).toBe(msat)));
  });
});
