import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { BackupError } from './backup.error.js';
import { syncFolder } from '../config/index.js';
import { contentOf, writeDurably } from './durable-file.js';
import { MANIFEST, manifestText, type BackupFile, type Manifest } from './manifest.js';

/** A backup that is being written, under another name beside its own: a folder with the backup's name is complete and verified. */
export class BackupDraft {
  readonly files: BackupFile[] = [];
  readonly folders: string[] = [];

  private constructor(
    readonly target: string,
    readonly path: string,
  ) {}

  /** @throws BackupError when the name is taken, or the folder cannot be created */
  static async create(name: string): Promise<BackupDraft> {
    const target = resolve(name);
    if (existsSync(target)) throw new BackupError(`${target} exists. A backup replaces nothing: give it a new name`);
    const path = `${target}.partial`;
    await mkdir(path, { mode: 0o700 }).catch(({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EEXIST') throw new BackupError(`The backup cannot be written: ${message}`);
      throw new BackupError(`${path} exists: another backup is being written, or one was interrupted. If none runs, remove the folder`);
    });
    return new BackupDraft(target, path);
  }

  at(path: string): string {
    return join(this.path, path);
  }

  async addFolder(path: string): Promise<void> {
    await mkdir(this.at(path), { mode: 0o700 });
    this.folders.push(path);
  }

  async verify(): Promise<void> {
    for (const { path, bytes, sha256 } of this.files) {
      const content = await contentOf(this.at(path));
      if (content?.bytes !== bytes || content.sha256 !== sha256)
        throw new BackupError(`The disk does not return what was written to ${this.at(path)}. Check the disk; there is no backup`);
    }
  }

  /** Gives the backup its name, when the disk has all of it. */
  async complete(manifest: Omit<Manifest, 'format' | 'files' | 'folders'>): Promise<void> {
    const { files, folders } = this;
    await writeDurably(this.at(MANIFEST), manifestText({ ...manifest, files, folders }));
    for (const folder of folders.toReversed()) await syncFolder(this.at(folder));
    await syncFolder(this.path);
    await rename(this.path, this.target);
    await syncFolder(dirname(this.target));
  }

  async discard(): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
