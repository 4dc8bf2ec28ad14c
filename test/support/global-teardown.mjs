import { rmSync } from 'node:fs';
import { database } from './global-setup.mjs';

export default async function globalTeardown() {
  if (!database) return;
  await database.server.stop();
  rmSync(database.dataDir, { recursive: true, force: true });
}
