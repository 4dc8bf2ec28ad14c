import { createHash, randomBytes } from 'node:crypto';

const sha256 = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest();
const hash = (bytes: Uint8Array): Buffer => sha256(sha256(bytes));
const HEADER_BYTES = 80;
const EASIEST = 0x207fffff;
const COINBASE = {
  start: '01000000010000000000000000000000000000000000000000000000000000000000000000ffffffff0402',
  end: 'ffffffff0100f2052a01000000015100000000',
};

interface Block {
  readonly hash: Buffer;
  readonly raw: Buffer;
}

/**
 * A chain in memory, for LDK nodes only: LDK checks neither the proof of work nor merkle roots nor the inputs of funding transactions, so
 * headers and transactions are enough for the life of a channel.
 */
export class ToyChain {
  private readonly blocks: Block[];
  private readonly mempool: Buffer[] = [];
  private nonce = 0;

  constructor() {
    const header = Buffer.alloc(HEADER_BYTES);
    this.blocks = [{ hash: hash(header), raw: Buffer.concat([header, Buffer.from([0])]) }];
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  get waiting(): number {
    return this.mempool.length;
  }

  get tip(): Buffer {
    return (this.blocks.at(-1) as Block).hash;
  }

  block(height: number): Buffer {
    return (this.blocks[height] as Block).raw;
  }

  broadcast(transaction: Uint8Array): void {
    const raw = Buffer.from(transaction);
    if (!this.mempool.some((known) => known.equals(raw))) this.mempool.push(raw);
  }

  mine(count: number): void {
    for (let mined = 0; mined < count; mined++) {
      const header = Buffer.alloc(HEADER_BYTES);
      header.writeInt32LE(4, 0);
      this.tip.copy(header, 4);
      header.writeUInt32LE(Math.floor(Date.now() / 1000), 68);
      header.writeUInt32LE(EASIEST, 72);
      header.writeUInt32LE(this.nonce++, 76);
      const height = this.blocks.length.toString(16).padStart(6, '0');
      const transactions = [Buffer.from(COINBASE.start + height + COINBASE.end, 'hex'), ...this.mempool.splice(0)];
      this.blocks.push({ hash: hash(header), raw: Buffer.concat([header, Buffer.from([transactions.length]), ...transactions]) });
    }
  }
}

/** A transaction that pays `sats` to `script` from nowhere. */
export function fundingTransaction(script: Uint8Array, sats: bigint): Uint8Array {
  const amount = Buffer.alloc(8);
  amount.writeBigUInt64LE(sats);
  const input = [Buffer.from('02000000000101', 'hex'), randomBytes(32), Buffer.from('0000000000ffffffff', 'hex')];
  const output = [Buffer.from([1]), amount, Buffer.from([script.length]), Buffer.from(script)];
  return Uint8Array.from(Buffer.concat([...input, ...output, Buffer.from('0101ff', 'hex'), Buffer.alloc(4)]));
}
