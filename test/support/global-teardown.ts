import { rmSync } from 'node:fs';
import { keptDatabase } from './global-database.js';

export default async function globalTeardown(): Promise<void> {
  const database = keptDatabase();
  await database?.server.stop();
  if (database) rmSync(database.dataDir, { recursive: true, force: true });
}
