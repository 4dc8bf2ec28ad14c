import { rmSync } from 'node:fs';
import { database, memoryFolder } from './global-setup.mjs';

export default async function globalTeardown() {
  if (database) {
    await database.server.stop();
    rmSync(database.dataDir, { recursive: true, force: true });
  }
  if (memoryFolder) rmSync(memoryFolder, { recursive: true, force: true });
}
