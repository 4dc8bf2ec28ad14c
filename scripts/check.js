// npm run check: everything that CI runs. The gates need one processor each, so as many run at a time as there are processors; the tests,
// with their summary line, come last.
import './node-version.js';

const { spawn, spawnSync } = await import('node:child_process');
const { once } = await import('node:events');
const { availableParallelism } = await import('node:os');
const { ensureInstalled } = await import('./install.js');
const { projectRoot } = await import('./project.js');

/** The slowest first, so that no processor waits for it at the end. */
const GATES = ['lint', 'api:check', 'typecheck', 'format:check', 'lint:deps', 'lint:commits', 'codegen:check', 'docs:check', 'lint:schema'];
/** A gate may need a gigabyte of memory. */
const MAX_AT_ONCE = 4;

const options = { cwd: projectRoot, shell: process.platform === 'win32' };
const argumentsOf = (step) => ['run', '--silent', step];
/** A gate writes to a pipe, and would leave out its colours. */
const environment = process.stdout.isTTY ? { ...process.env, FORCE_COLOR: '1' } : process.env;

/** Runs a gate, and shows its output once it has ended. @returns whether it passed */
async function passes(gate) {
  const began = performance.now();
  const child = spawn('npm', argumentsOf(gate), { ...options, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => said.push(text));
  const [status] = await once(child, 'close');
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  process.stdout.write(`\nnpm run ${gate}\n${Buffer.concat(said)}`);
  console.log(`${gate} ${status === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  return status === 0;
}

ensureInstalled({ dev: true });

const waiting = [...GATES];
let failed = 0;
/** Gates that run already end, so that their findings are shown too; no other begins after a failure. */
async function runGates() {
  while (waiting.length > 0 && failed === 0) if (!(await passes(waiting.shift()))) failed++;
}
await Promise.all(Array.from({ length: Math.min(availableParallelism(), MAX_AT_ONCE) }, runGates));
if (failed > 0) process.exit(1);

console.log('\nnpm run test');
const { status } = spawnSync('npm', argumentsOf('test'), { ...options, stdio: 'inherit' });
process.exitCode = status === 0 ? 0 : 1;
