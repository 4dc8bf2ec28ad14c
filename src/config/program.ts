import { fileURLToPath } from 'node:url';

/**
 * What is typed before one of the operator's commands: by npm's script in a clone, by the package's own command where another project has
 * Sluice installed.
 * @param file one of Sluice's own
 */
export const programAt = (file: string): string => (/[\\/]node_modules[\\/]/.test(file) ? 'npx sluice' : 'npm run sluice --');

export const PROGRAM = programAt(fileURLToPath(import.meta.url));
