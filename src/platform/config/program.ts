import { fileURLToPath } from 'node:url';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An operator types npm's script in a clone, the package's command where another project has installed Sluice, and its link in the image. */
export const programAt = (folder: string, isClone: boolean): string =>
  /[\\/]node_modules[\\/]/.test(folder) ? 'npx sluice' : isClone ? 'npm run sluice --' : 'sluice';

const FOLDER = packageFolder(fileURLToPath(import.meta.url));

export const PROGRAM = programAt(FOLDER, existsSync(join(FOLDER, 'scripts/sluice.js')));

const NEEDED = /^(PATH|HOME|TMPDIR|SYSTEMROOT|USERPROFILE|APPDATA|PG(PASSFILE|SSL|GSS|SERVICE|SYSCONFDIR).*)$/i;

/** A program of PostgreSQL gets the variables by which it finds files, passwords and certificates, and none of Sluice's, which hold secrets. */
export const programEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name))),
  LC_ALL: 'C',
});

/** The version in Sluice's package.json. */
export const versionOfSluice = (): string =>
  (JSON.parse(readFileSync(join(FOLDER, 'package.json'), 'utf8')) as { version: string }).version;

/** The folder of Sluice's package.json, which is some folders above this file, in a clone as in an installed package. */
function packageFolder(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'package.json'))) return folder;
  throw new Error('The package.json of Sluice is missing. Install Sluice again.');
}
