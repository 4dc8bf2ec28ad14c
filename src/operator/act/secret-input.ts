import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from '../command/index.js';

/**
 * Reads a secret from the terminal without echo, or else the first line of standard input. Never from the command line, which every user of
 * the machine can read while the command runs, and which the shell keeps in its history.
 * @throws UsageError when there is none
 */
export async function secretInput(what: string): Promise<string> {
  const { stdin } = process;
  const isTerminal = stdin.isTTY;
  if (isTerminal) process.stderr.write(`${what}: `);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: unseen, terminal: isTerminal });
  try {
    const line = await new Promise<string>((resolve) => lines.once('line', resolve).once('close', () => resolve('')));
    if (isTerminal) process.stderr.write('\n');
    if (line === '') throw new UsageError(`${what} is missing. Type it, or pass it on standard input`);
    return line;
  } finally {
    lines.close();
  }
}
