import { createHash } from 'node:crypto';

/** The payment hash of a preimage, both in hexadecimal digits (BOLT 11). */
export const paymentHashOf = (preimage: string): string => createHash('sha256').update(preimage, 'hex').digest('hex');
