import { randomFillSync } from 'node:crypto';

const PAGE_BYTES = 4_096;
const page = Buffer.alloc(PAGE_BYTES);
let taken = PAGE_BYTES;

/**
 * Unpredictable bytes, for secrets and ids. They are drawn from the system a page at a time, because under load each draw costs more than
 * the operation that needs it, and wiped from the page when returned: bytes in use cannot be read from it later.
 * @param length at most a page
 */
export function randomBytes(length: number): Buffer {
  if (length > PAGE_BYTES) throw new RangeError(`At most ${PAGE_BYTES} bytes`);
  if (taken + length > PAGE_BYTES) {
    randomFillSync(page);
    taken = 0;
  }
  const bytes = Buffer.from(page.subarray(taken, taken + length));
  page.fill(0, taken, taken + length);
  taken += length;
  return bytes;
}
