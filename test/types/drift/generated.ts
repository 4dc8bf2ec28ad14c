import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Settings of codegen that replace ours. */
export interface Instead {
  readonly mappers: Readonly<Record<string, string>>;
  readonly contextType: string;
}

/** The types that our configuration of codegen generates from each schema. */
export function generated(schemas: Readonly<Record<string, string>>, instead?: Instead): Record<string, string> {
  const options = { input: JSON.stringify({ schemas, instead }), encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  return JSON.parse(execFileSync(process.execPath, [join(__dirname, 'generate.mjs')], options)) as Record<string, string>;
}
