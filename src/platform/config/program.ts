import { fileURLToPath } from 'node:url';

/** An operator types npm's script in a clone, and the package's own command where another project has installed Sluice. */
export const programAt = (file: string): string => (/[\\/]node_modules[\\/]/.test(file) ? 'npx sluice' : 'npm run sluice --');

export const PROGRAM = programAt(fileURLToPath(import.meta.url));
