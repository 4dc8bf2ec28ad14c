import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';

const ROOT = join(__dirname, '../..');

/**
 * Compiles files of a folder with the compiler of `npm run typecheck`, and writes none.
 *
 * @param options settings that replace those of the tsconfig.json
 * @param base the tsconfig.json, ours if none is given
 * @returns the compiler's messages, `path(line,column): error TS…: text`, none when the files compile
 */
export function compile(folder: string, files: readonly string[], options: object = {}, base = join(ROOT, 'tsconfig.json')): string[] {
  const config = join(folder, 'tsconfig.compile.json');
  const compilerOptions = { rootDir: ROOT, ...options, noEmit: true };
  writeFileSync(config, JSON.stringify({ extends: base, compilerOptions, files, include: [] }));
  const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', config, '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  // A message goes on in lines that begin with a space.
  return stdout.split(/\n(?! )/).filter((message) => message !== '');
}
