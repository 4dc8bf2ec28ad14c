import { fileURLToPath } from 'node:url';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An operator types npm's script in a clone, and the package's own command where another project has installed Sluice. */
export const programAt = (file: string): string => (/[\\/]node_modules[\\/]/.test(file) ? 'npx sluice' : 'npm run sluice --');

export const PROGRAM = programAt(fileURLToPath(import.meta.url));

const NEEDED = /^(PATH|HOME|TMPDIR|SYSTEMROOT|USERPROFILE|APPDATA|PG(PASSFILE|SSL|GSS|SERVICE|SYSCONFDIR).*)$/i;

/** A program of PostgreSQL gets the variables by which it finds files, passwords and certificates, and none of Sluice's, which hold secrets. */
export const programEnvironment = (): Readonly<Record<string, string | undefined>> => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => NEEDED.test(name))),
  LC_ALL: 'C',
});

/** The version in Sluice's package.json, which is some folders above this file, in a clone as in an installed package. */
export function versionOfSluice(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const version = versionIn(join(folder, 'package.json'));
    if (version !== undefined) return version;
    if (dirname(folder) === folder) throw new Error('The package.json of Sluice is missing. Install Sluice again.');
  }
}

function versionIn(file: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { version?: string }).version;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
