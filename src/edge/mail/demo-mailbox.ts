import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newId } from '../../platform/kernel/uuid.js';
import type { MailMessage, MailTransport } from './mail-transport.js';

export interface KeptMail extends MailMessage {
  readonly at: string;
}

const MAX_LISTED = 50;

/** The demo's: a folder of messages, which `/demo/mail` shows. */
export class DemoMailbox implements MailTransport {
  readonly #folder: string;

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'mail');
  }

  async send(message: MailMessage): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const kept: KeptMail = { ...message, at: new Date().toISOString() };
    await writeFile(join(this.#folder, `${newId()}.json`), JSON.stringify(kept, null, 2));
  }

  /** The newest first. */
  async list(): Promise<KeptMail[]> {
    const names = await readdir(this.#folder).catch(() => []);
    const newest = names.sort().reverse().slice(0, MAX_LISTED);
    return Promise.all(newest.map(async (name) => JSON.parse(await readFile(join(this.#folder, name), 'utf8')) as KeptMail));
  }
}
