import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface OsUser {
  readonly uid: number;
  readonly gid: number;
}

/** Only root can do this. The folder comes after its contents: when it has its owner, so has everything in it. */
export function chownRecursive(path: string, { uid, gid }: OsUser): void {
  const stat = lstatSync(path);
  if (stat.uid === uid && stat.gid === gid) return;
  if (stat.isDirectory()) for (const name of readdirSync(path)) chownRecursive(join(path, name), { uid, gid });
  lchownSync(path, uid, gid);
}
