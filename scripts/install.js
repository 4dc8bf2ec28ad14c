// Installs packages from the lock file, only when something is missing.
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf, projectRoot, readJson, readText } from './project.js';

const STAMP = 'node_modules/.sluice-install';

/**
 * Installs the missing packages of package-lock.json. It only adds to an existing installation, because a process may be running from it.
 * @param {{ root?: string, dev: boolean }} options `dev`: development dependencies too; if they are installed already, they stay
 */
export function ensureInstalled({ root = projectRoot, dev }) {
  const lock = readText(root, 'package-lock.json');
  const stamp = { lock: hashOf(lock), platform: process.platform, arch: process.arch };
  const known = readJson(root, STAMP);
  const unchanged = known && Object.entries(stamp).every(([name, value]) => known[name] === value);
  if (unchanged && (known.dev || !dev)) return;

  const installed = readJson(root, 'node_modules/.package-lock.json')?.packages;
  const full = dev || Object.values(installed ?? {}).some((entry) => entry.dev);
  const missing = () => firstMissing(JSON.parse(lock).packages, readJson(root, 'node_modules/.package-lock.json')?.packages, full);
  if (missing()) {
    console.error(
      `Installing ${full ? 'all' : 'the run-time'} packages of ${root} from package-lock.json; the first time takes a few minutes ...`,
    );
    if (!installed) runNpm(root, ['ci', ...choice(full)]);
    else if (!tryNpm(root, ['install', '--no-save', ...choice(full)]) || missing()) runNpm(root, ['ci', ...choice(full)]);
  }
  remember(root, { ...stamp, dev: full });
}

/** The stamp saves the next start from checking every package. A read-only folder goes without. */
function remember(root, stamp) {
  try {
    mkdirSync(join(root, 'node_modules'), { recursive: true });
    writeFileSync(join(root, STAMP), JSON.stringify(stamp));
  } catch (error) {
    if (!UNWRITABLE.includes(error.code)) throw error;
  }
}

/**
 * Explicit options override NODE_ENV, `npm --silent` and the user's own configuration: the optional packages hold the database, and a
 * failure must show its cause.
 */
function choice(full) {
  return [full ? '--include=dev' : '--omit=dev', '--include=optional', '--loglevel=error'];
}

/** The first package of the lock file that is not installed in the locked version. */
export function firstMissing(wanted, installed, dev) {
  if (!installed) return 'node_modules';
  const isMissing = ([path, entry]) => {
    if (path === '' || entry.link || (entry.dev && !dev)) return false;
    const present = installed[path];
    if (present) return present.version !== entry.version;
    return entry.optional || entry.devOptional ? isForThisPlatform(entry) : true;
  };
  return Object.entries(wanted).find(isMissing)?.[0];
}

/** An optional package without conditions is a dependency of one with conditions. */
function isForThisPlatform({ os, cpu, libc }) {
  if (!os && !cpu) return false;
  const fits = (list, own) => !list || list.includes(own);
  return fits(os, process.platform) && fits(cpu, process.arch) && (!libc || fits(libc, ownLibc()));
}

function ownLibc() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/** npm's error codes when no registry answers. */
const UNREACHABLE = /\b(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED)\b/;

const UNWRITABLE = ['EACCES', 'EPERM', 'EROFS'];

/** Advice on a failure whose cause npm's output shows. */
function adviceOn(said) {
  const [, unreachable] = UNREACHABLE.exec(said) ?? [];
  if (unreachable)
    return `The packages could not be downloaded (${unreachable}): connect this machine to the network, or set npm's registry or proxy ("npm config get registry"), and run the command again.`;
  const [, code] = /\bcode (E\w+)/.exec(said) ?? [];
  const [, path] = /^npm (?:error|ERR!) path (.+)$/m.exec(said) ?? [];
  if (UNWRITABLE.includes(code) && path)
    return `The packages could not be installed: this user cannot write ${path} (${code}). Make that folder writable, or run the command as the user who owns it.`;
  return undefined;
}

function runNpm(root, args) {
  if (tryNpm(root, args)) return;
  console.error(`"npm ${args.join(' ')}" failed in ${root}.`);
  process.exit(1);
}

/** Ends the process with one sentence when the cause is known: a retry would take as long and fail in the same way. */
function tryNpm(root, args) {
  const { npm_execpath: own } = process.env;
  const [file, ...first] = own?.endsWith('.js') ? [process.execPath, own] : ['npm'];
  const { status, stdout, stderr } = spawnSync(file, [...first, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    shell: file === 'npm' && process.platform === 'win32',
  });
  const said = `${stdout ?? ''}${stderr ?? ''}`;
  const advice = status === 0 ? undefined : adviceOn(said);
  if (advice) {
    console.error(advice);
    process.exit(1);
  }
  // To standard error: standard output is for the command's result.
  process.stderr.write(said);
  return status === 0;
}
