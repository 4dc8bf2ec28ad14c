import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROJECT, run } from './server-process.js';

/** A release in test/process/releases.json: its version, the commit that it was made from, and whether this clone has that. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly isHere: boolean;
}

const git = (...args: string[]): { status: number | null; stdout: Buffer } =>
  spawnSync('git', ['-C', PROJECT, ...args], { maxBuffer: 256 * 1024 * 1024, stdio: ['ignore', 'pipe', 'ignore'] });

/** The releases, the newest last. */
export function releases(): Release[] {
  const all = JSON.parse(readFileSync(join(PROJECT, 'test/process/releases.json'), 'utf8')) as Omit<Release, 'isHere'>[];
  return all.map((each) => ({ ...each, isHere: git('cat-file', '-e', `${each.commit}^{commit}`).status === 0 }));
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

interface Lock {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}
interface LockedPackage {
  readonly version?: string;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/**
 * The release runs on the packages that are installed here, where these are the ones of its lock file: a copy of them, or an installation,
 * costs more than all that the test does. What is missing, and needed by no other package, comes from the registry alone. Otherwise the
 * release starts from a copy and installs the difference there.
 */
function linkPackages(folder: string): void {
  const lockAt = (...path: string[]): Lock => JSON.parse(readFileSync(join(...path), 'utf8')) as Lock;
  const [from, to] = [PROJECT, folder].map((root) => join(root, 'node_modules')) as [string, string];
  const [installed, lock] = [lockAt(from, '.package-lock.json'), lockAt(folder, 'package-lock.json')];
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const missing = entries.filter(([path, { version, optional }]) => !optional && installed.packages[path]?.version !== version);
  const needed = new Set(
    entries.flatMap(([, { dependencies, peerDependencies }]) => Object.keys({ ...dependencies, ...peerDependencies })),
  );
  const nameOf = (path: string): string => path.slice('node_modules/'.length);
  if (missing.some(([path]) => needed.has(nameOf(path)) || path.lastIndexOf('node_modules/') > 0))
    return cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.sluice-install') });
  for (const path of Object.keys(installed.packages).filter((each) => each.lastIndexOf('node_modules/') === 0)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(PROJECT, path), join(folder, path));
  }
  for (const [path, { version = '' }] of missing) fetchPackage(`${nameOf(path)}@${version}`, join(folder, path));
  const packages = { ...installed.packages, ...Object.fromEntries(missing) };
  writeFileSync(join(to, '.package-lock.json'), JSON.stringify({ ...installed, packages }));
}

function fetchPackage(spec: string, folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shell = process.platform === 'win32';
  const packed = spawnSync('npm', ['pack', '--silent', spec, '--pack-destination', folder], { encoding: 'utf8', shell });
  if (packed.status !== 0) throw new Error(`npm pack ${spec} failed: ${packed.stderr}`);
  const [tarball = ''] = readdirSync(folder);
  const unpacked = spawnSync('tar', ['-xzf', join(folder, tarball), '-C', folder, '--strip-components=1'], { encoding: 'utf8' });
  if (unpacked.status !== 0) throw new Error(`tar failed: ${unpacked.stderr}`);
  rmSync(join(folder, tarball));
}

export const removeRelease = (folder: string | undefined): void => {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
