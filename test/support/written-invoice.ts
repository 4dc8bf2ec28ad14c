import { randomBytes } from 'node:crypto';
import { encodeInvoice, type InvoiceToEncode } from '../../src/money/lightning/bolt11/index.js';

/** The text of an invoice that a stranger has written and signed: with these parts, the others are in order. */
export const writtenInvoice = (more: Partial<InvoiceToEncode> = {}): string =>
  encodeInvoice(
    {
      network: 'regtest',
      amountMsat: 1_000n,
      createdAtSeconds: Math.floor(Date.now() / 1_000),
      paymentHash: randomBytes(32).toString('hex'),
      paymentSecret: randomBytes(32).toString('hex'),
      description: 'x',
      expirySeconds: 600,
      minFinalCltvExpiryDelta: 80,
      ...more,
    },
    randomBytes(32),
  );
