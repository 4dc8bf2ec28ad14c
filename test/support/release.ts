import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT, run } from './server-process.js';

/** A release in test/process/releases.json: its version, and the commit that it was made from. */
export interface Release {
  readonly version: string;
  readonly commit: string;
}

const git = (...args: string[]): { status: number | null; stdout: Buffer } =>
  spawnSync('git', ['-C', PROJECT, ...args], { maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] });

/** The releases whose commits this clone has, and those whose commits it does not have. */
export function releases(): { readonly here: Release[]; readonly absent: Release[] } {
  const all = JSON.parse(readFileSync(join(PROJECT, 'test/process/releases.json'), 'utf8')) as Release[];
  const isHere = ({ commit }: Release): boolean => git('cat-file', '-e', `${commit}^{commit}`).status === 0;
  const here = all.filter(isHere);
  return { here, absent: all.filter((release) => !here.includes(release)) };
}

/** Builds a release from its commit. @returns its folder, which the caller removes */
export async function buildRelease({ commit }: Release): Promise<string> {
  mkdirSync(join(PROJECT, 'test/output'), { recursive: true });
  const folder = mkdtempSync(join(PROJECT, 'test/output/release-'));
  const { status, stdout } = git('archive', commit);
  if (status !== 0) throw new Error(`git archive ${commit} failed`);
  const unpacked = spawnSync('tar', ['-x', '-C', folder], { input: stdout });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${String(unpacked.stderr)}`);
  linkPackages(folder);
  const built = await run(process.execPath, [join(folder, 'scripts/build.js')], {}, folder);
  if (built.code !== 0) throw new Error(`The release does not build: ${built.stderr}`);
  return folder;
}

/** The same lock file means the same packages. Otherwise the release starts from a copy and installs the difference there. */
function linkPackages(folder: string): void {
  const lockOf = (root: string): string => readFileSync(join(root, 'package-lock.json'), 'utf8');
  const [from, to] = [PROJECT, folder].map((root) => join(root, 'node_modules')) as [string, string];
  if (lockOf(folder) === lockOf(PROJECT)) symlinkSync(from, to);
  else cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.sluice-install') });
}

export const removeRelease = (folder: string | undefined): void => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
