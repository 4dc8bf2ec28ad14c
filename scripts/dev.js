// npm run dev: serves, rebuilds and restarts at each change of a source, and reports type errors meanwhile.
import './node-version.js';

const { spawn } = await import('node:child_process');
const { once } = await import('node:events');
const { join } = await import('node:path');
const { fileURLToPath } = await import('node:url');
const { ensureInstalled } = await import('./install.js');
const { projectRoot } = await import('./project.js');

/** Debounce: editors write a file in several steps, and change several files at once. */
const QUIET_MS = 100;
const WATCHED = ['src', 'migrations', 'schema.graphql', 'nest-cli.json'];

ensureInstalled({ dev: true });
const { watch } = await import('chokidar');
const { build } = await import('./build.js');

let server;
let timer;
let turn = Promise.resolve();

/** Builds; on success the old server finishes its requests and the new one takes over. */
async function renew() {
  try {
    const began = performance.now();
    const count = await build({ bundles: false });
    console.error(`Built ${count} files in ${Math.round(performance.now() - began)} ms.`);
  } catch (error) {
    console.error(error.message);
    return;
  }
  await stop();
  server = spawn(process.execPath, ['--enable-source-maps', join(projectRoot, 'dist/src/main.js')], { stdio: 'inherit' });
}

async function stop() {
  if (!server || server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  // SIGINT, not SIGTERM: no load balancer needs time to drain.
  server.kill('SIGINT');
  await ended;
}

/** The build removes types without checking them. The compiler checks them in parallel; a type error does not stop the server. */
function checkTypes() {
  // Not TypeScript 7: on Node 20 its program is a child of a wrapper, which would leave it behind.
  const compiler = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
  const args = ['--watch', '--noEmit', '--preserveWatchOutput', '--project', join(projectRoot, 'tsconfig.json')];
  return spawn(process.execPath, [compiler, ...args], { cwd: projectRoot, stdio: ['ignore', 'inherit', 'inherit'] });
}

function schedule() {
  clearTimeout(timer);
  timer = setTimeout(() => (turn = turn.then(renew)), QUIET_MS);
}

const types = checkTypes();
process.once('exit', () => types.kill());
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}
// Not fs.watch: its recursive mode on Linux misses files that are created while it begins (nodejs/node issue 48437 and others).
const sources = watch(WATCHED, { cwd: projectRoot, ignoreInitial: true });
sources.on('all', schedule);
turn = turn.then(renew);
