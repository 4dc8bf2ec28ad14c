import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A user and group of the operating system, by number. */
export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Gives a file, or a folder with its contents, to another user; only root can.
 * The folder itself comes last: when it has its owner, so has everything in it.
 */
export function chownRecursive(path: string, { uid, gid }: OsUser): void {
  const stat = lstatSync(path);
  if (stat.uid === uid && stat.gid === gid) return;
  if (stat.isDirectory()) for (const name of readdirSync(path)) chownRecursive(join(path, name), { uid, gid });
  lchownSync(path, uid, gid);
}
