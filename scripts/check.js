// npm run check: everything that CI runs, the fastest checks first; the tests, with their summary line, come last.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { ensureInstalled } = await import('./install.js');
const { projectRoot } = await import('./project.js');

const STEPS = ['format:check', 'lint', 'lint:deps', 'codegen:check', 'docs:check', 'lint:schema', 'typecheck', 'api:check', 'test'];

ensureInstalled({ dev: true });

for (const [index, step] of STEPS.entries()) {
  const last = index === STEPS.length - 1;
  console.log(`\n[${index + 1}/${STEPS.length}] npm run ${step}`);
  const began = performance.now();
  const { status } = spawnSync('npm', ['run', '--silent', step], {
    cwd: projectRoot,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (!last) console.log(`${step} ${status === 0 ? 'passed' : 'FAILED'} after ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (status !== 0) process.exit(1);
}
