import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux keeps files in memory. */
const SHARED_MEMORY = '/dev/shm';
/** A run needs up to three gibibytes for its files. */
const NEEDED_BYTES = 8 * 2 ** 30;

/**
 * A folder in memory for the temporary files of a run: each test has databases of its own, of a thousand files each, and file systems on disks
 * take a tenth of the run to make and remove them. Databases that are durable stay so for processes that are killed.
 * @returns undefined where there is no such file system, it has little room, or no program may be started from it
 */
export function makeMemoryFolder() {
  let folder;
  try {
    const { bavail, bsize } = statfsSync(SHARED_MEMORY);
    if (bavail * bsize < NEEDED_BYTES || process.availableMemory() < NEEDED_BYTES) return undefined;
    folder = mkdtempSync(join(SHARED_MEMORY, 'sluice-'));
    // As that of the system: tests run programs as other users too.
    chmodSync(folder, 0o1777);
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    if (spawnSync(program).status === 0) return folder;
  } catch {
    // There is none, or it is not ours to write in.
  }
  if (folder !== undefined) rmSync(folder, { recursive: true });
  return undefined;
}
