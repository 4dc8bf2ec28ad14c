import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A user and group of the system, by number. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Gives a file, or a folder with all that is in it, to somebody else; only root can.
 * The folder itself comes last: where it has its owner, everything in it has.
 */
export function giveTree(path: string, { uid, gid }: Account): void {
  const stat = lstatSync(path);
  if (stat.uid === uid && stat.gid === gid) return;
  if (stat.isDirectory()) for (const name of readdirSync(path)) giveTree(join(path, name), { uid, gid });
  lchownSync(path, uid, gid);
}
