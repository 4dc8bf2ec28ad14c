import { fileURLToPath } from 'node:url';

/**
 * The prefix of an operator's command: npm's script in a clone, or the package's own command where another project has installed Sluice.
 * @param file one of Sluice's own
 */
export const programAt = (file: string): string => (/[\\/]node_modules[\\/]/.test(file) ? 'npx sluice' : 'npm run sluice --');

export const PROGRAM = programAt(fileURLToPath(import.meta.url));
