import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { orNone } from '../../platform/kernel/or-none.js';

/** The demo's data for scripts and tests, as `demo.json` in the data folder. Its shape is a contract. */
export interface DemoFile {
  readonly url: string;
  readonly users: Readonly<Record<string, DemoUser>>;
  readonly oauthClient: { readonly clientId: string; readonly clientSecret: string; readonly redirectUris: readonly string[] };
}

export interface DemoUser {
  readonly email: string;
  readonly password: string;
  readonly username: string;
  readonly wallets: { readonly BTC: string; readonly USD: string };
  readonly apiKeys: { readonly read: string; readonly receive: string; readonly write: string; readonly all: string };
}

const pathIn = (dataDir: string): string => join(dataDir, 'demo.json');

export const readDemoFile = (dataDir: string): DemoFile | undefined =>
  orNone(() => JSON.parse(readFileSync(pathIn(dataDir), 'utf8')) as DemoFile);

/** Writes atomically, so that no reader sees half a file. Mode 0600, because the file holds keys. */
export function writeDemoFile(dataDir: string, file: DemoFile): void {
  // With a database elsewhere, only this file needs the folder.
  mkdirSync(dataDir, { recursive: true });
  const draft = `${pathIn(dataDir)}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
  renameSync(draft, pathIn(dataDir));
}
