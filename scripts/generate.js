// `npm run generate`: everything that is generated and kept in git, each after what it is made from. The first step that fails ends it.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { join } = await import('node:path');
const { ensureInstalled } = await import('./install.js');
const { projectRoot } = await import('./project.js');

const STEPS = [
  { makes: 'types of the SDL and of the documents', script: 'codegen.js' },
  { makes: 'recorded examples', script: 'test.js', args: ['test/e2e/api-examples.spec.ts'], env: { EXAMPLES: '1' } },
  { makes: 'tables of the reference', script: 'tables.js' },
  { makes: 'reports of the public modules', script: 'api-report.js' },
  { makes: 'list of planted faults', script: 'planted.js' },
  // Last: a change that breaks clients stops here, and is accepted by a person.
  { makes: 'baseline of the SDL', script: 'schema-check.js', args: ['--accept-additions'] },
];

ensureInstalled({ dev: true });
for (const { makes, script, args = [], env } of STEPS) {
  console.log(`\n${makes}: scripts/${[script, ...args].join(' ')}`);
  const file = join(projectRoot, 'scripts', script);
  const { status } = spawnSync(process.execPath, [file, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status === 0) continue;
  console.error(`\ngenerate: the ${makes} could not be made, and what comes after was not`);
  process.exit(1);
}
