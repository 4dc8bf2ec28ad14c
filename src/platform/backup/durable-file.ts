import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 1 << 20;

export interface Content {
  readonly bytes: number;
  readonly sha256: string;
}

/** Copies a file that another process may write meanwhile, and returns when the disk has the copy; undefined: there is no such file any more. */
export async function copyDurably(from: string, to: string): Promise<Content | undefined> {
  await using source = await openIfThere(from);
  if (!source) return undefined;
  await using copy = await open(to, 'wx', 0o600);
  const content = await eachChunk(source, async (chunk) => void (await copy.writeFile(chunk)));
  await copy.sync();
  return content;
}

export async function writeDurably(path: string, text: string | Buffer): Promise<Content> {
  await using file = await open(path, 'wx', 0o600);
  await file.writeFile(text);
  await file.sync();
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

export async function contentOf(path: string): Promise<Content | undefined> {
  await using file = await openIfThere(path);
  return file && (await eachChunk(file, async () => undefined));
}

async function eachChunk(file: FileHandle, work: (chunk: Buffer) => Promise<void>): Promise<Content> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let bytes = 0;
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, bytes);
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') };
    const chunk = buffer.subarray(0, bytesRead);
    hash.update(chunk);
    await work(chunk);
    bytes += bytesRead;
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
