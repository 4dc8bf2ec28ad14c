// npm test: installs, builds and tests, also from a fresh clone; arguments go to Jest. The last line is the summary.
import './node-version.js';

const { once } = await import('node:events');
const { join } = await import('node:path');
const { build } = await import('./build.js');
const { ensureInstalled } = await import('./install.js');
const { startJest } = await import('./jest.js');
const { projectRoot } = await import('./project.js');

ensureInstalled({ dev: true });
ensureInstalled({ root: join(projectRoot, 'test/client'), dev: true });

// A source that does not compile counts as one failure, besides the tests that need it.
let broken = 0;
await build().catch((error) => {
  console.error(error.message);
  broken = 1;
});

const jest = startJest(process.argv.slice(2), { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });

let outcome = { passed: 0, failed: 0, skipped: [] };
jest.on('message', (message) => (outcome = message));
// Ctrl-C reaches Jest too, and this process must still print the summary.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => jest.kill('SIGTERM'));

const [status] = await once(jest, 'close');
const { passed, skipped } = outcome;
const failed = outcome.failed + broken;
for (const name of skipped) console.log(`Skipped: ${name}`);
console.log(`Tests: ${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
// A run without tests is a failure.
process.exitCode = status || (failed > 0 || passed === 0 ? 1 : 0);
