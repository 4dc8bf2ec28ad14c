// The built server, as `npm start` runs it, on an embedded PostgreSQL in its own folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { projectRoot, readJson } from '../../scripts/project.js';
import { endWithUs } from './child.js';

const MAIN = join(projectRoot, 'dist/bundle/main.js');
/** The options with which `npm start` runs Node. */
const NODE_OPTIONS = readJson(projectRoot, 'package.json').scripts.start.match(/--\S+/g) ?? [];
const READY = 'Sluice is ready at ';
/**
 * Benchmark callers are never rate-limited, and their accounts, whose limits are checked, never reach one; all other settings have their defaults.
 * Behind a proxy one address may have more connections than 256.
 */
const LIMITS = {
  TRUST_PROXY: '1',
  THROTTLE_ADDRESS: '999999999/60',
  THROTTLE_PRINCIPAL: '999999999/60',
  THROTTLE_ACCOUNT: '999999999/60',
  THROTTLE_MAIL: '999999999/60',
  THROTTLE_REGISTRATION: '999999999/60',
  THROTTLE_SIGN_IN_ACCOUNT: '999999999/60',
  THROTTLE_SIGN_IN_ADDRESS: '999999999/60',
  REGISTRATION: 'open',
  ACCOUNT_LIMITS: ['ZERO', 'ONE', 'TWO', 'THREE'].map((level) => `${level}=1000000000000/1000000000000/1000000000000`).join(),
  SOCKETS_PER_PRINCIPAL: '10000',
  WORK_PER_ADDRESS: '1000',
  WORK_PER_PRINCIPAL: '1000',
};

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}

/** A folder for one server's data. Other users must be able to enter it: PostgreSQL does not run as root. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const dataDir = join(folder, 'data');
  mkdirSync(dataDir);
  return { dataDir, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/**
 * Starts the server and waits until it serves.
 * @param {{ dataDir: string, profileDir?: string, env?: object }} options with `profileDir`, V8 writes its CPU profile there when the server stops
 */
export async function startServer({ dataDir, profileDir, env = {} }) {
  const port = await freePort();
  const began = performance.now();
  const args = [...NODE_OPTIONS, ...(profileDir ? ['--cpu-prof', `--cpu-prof-dir=${profileDir}`] : []), MAIN];
  const child = spawn(process.execPath, args, {
    cwd: projectRoot,
    env: { ...process.env, ...LIMITS, NODE_ENV: 'production', LOG_LEVEL: 'warn', PORT: String(port), SLUICE_DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithUs(child);
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const ready = new Promise((resolve) => lines.on('line', (line) => line.startsWith(READY) && resolve(true)));
  if (!(await Promise.race([ready, ended.then(() => false)]))) throw new Error('The server ended before it was ready');
  const startMs = performance.now() - began;
  return {
    port,
    pid: child.pid,
    databasePid: Number.parseInt(readFileSync(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8'), 10),
    startMs,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
