import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '../..');
const NOT_OURS = /(^|\/)(node_modules|output)(\/|$)/;

/** Paths of all files in a folder of the project and below it, from the project's root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (NOT_OURS.test(path)) return [];
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
