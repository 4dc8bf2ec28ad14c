import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { orNone } from '../kernel/or-none.js';
import { BackupError } from './backup.error.js';
import type { Content } from './durable-file.js';

const FORMAT = 1;
export const MANIFEST = 'manifest.json';

/** A file of a backup; its path is relative to the backup, with slashes. */
export interface BackupFile extends Content {
  readonly path: string;
}

export interface Manifest {
  readonly format: number;
  /** `embedded`: the folder of the embedded PostgreSQL's cluster. `external`: a dump by pg_dump. */
  readonly kind: 'embedded' | 'external';
  readonly sluice: string;
  readonly schemaRelease: string;
  readonly postgresMajor: number;
  /** The major version of pg_dump; null: none was used. */
  readonly pgDumpMajor: number | null;
  /** Operating system and processor: the files of a cluster can be read by no other. */
  readonly platform: string;
  readonly systemIdentifier: string;
  /** By the clock of the database, ISO 8601: transactions that were committed before it are in the backup. */
  readonly takenAt: string;
  readonly files: readonly BackupFile[];
  readonly folders: readonly string[]; // they may be empty; parents first
}

export const manifestText = (manifest: Omit<Manifest, 'format'>): string =>
  `${JSON.stringify({ format: FORMAT, ...manifest }, undefined, 2)}\n`;

/** @throws BackupError when there is none, or not one that this version can read */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, MANIFEST), 'utf8').catch(({ message }: Error) => {
    throw new BackupError(`${folder} is not a backup that Sluice has made: its ${MANIFEST} cannot be read (${message})`);
  });
  const manifest = orNone(() => JSON.parse(text) as Partial<Manifest> | null);
  if (manifest?.format !== FORMAT) throw new BackupError(`${join(folder, MANIFEST)} is damaged, or of a newer version of Sluice`);
  const { kind, files, folders } = manifest as Manifest;
  const paths = [...files.map(({ path }) => path), ...folders];
  if (!['embedded', 'external'].includes(kind) || paths.some((path) => isAbsolute(path) || path.split(/[\\/]/).includes('..')))
    throw new BackupError(`${join(folder, MANIFEST)} is damaged`);
  return manifest as Manifest;
}
