// `npm run api` writes what the public modules export to docs/api-report/, by API Extractor; `--check` writes nothing and fails when a report
// differs. A change of a report is a change for all who build on Sluice: review it as such.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { mkdirSync, rmSync, writeFileSync } = await import('node:fs');
const { createRequire } = await import('node:module');
const { join } = await import('node:path');
const { projectRoot, readText } = await import('./project.js');

/** The public modules by the names of their reports: `exports` of package.json. */
const MODULES = {
  sluice: 'src/index.d.ts',
  'sluice-testing': 'src/testing/index.d.ts',
  'sluice-client': 'src/client/index.d.ts',
};
const TYPES = join(projectRoot, 'test/output/api-types');
const REPORTS = join(projectRoot, 'docs/api-report');

/** Creates the declarations of the public modules, and of all that they need. */
function declare() {
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-p', join(projectRoot, 'tsconfig.pack.json'), '--outDir', TYPES], {
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) throw new Error('the declarations of the public modules do not compile');
}

async function reportOf(name, entry) {
  const { Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
  const folder = join(TYPES, 'reports');
  mkdirSync(folder, { recursive: true });
  const extractorConfig = ExtractorConfig.prepare({
    configObject: {
      projectFolder: projectRoot,
      mainEntryPointFilePath: join(TYPES, entry),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: { target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'], skipLibCheck: true },
          files: [join(TYPES, entry)],
        },
      },
      apiReport: { enabled: true, reportFileName: `${name}.api.md`, reportFolder: folder, reportTempFolder: join(folder, 'temp') },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectRoot, 'package.json'),
  });
  const faults = [];
  const messageCallback = (message) => {
    if (message.logLevel === 'error' && message.category === 'Compiler') faults.push(message.text);
    message.handled = true;
  };
  // Release tags and names that are used but not exported are API Extractor's conventions, not Sluice's.
  Extractor.invoke(extractorConfig, { localBuild: true, messageCallback });
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return readText(folder, `${name}.api.md`);
}

/** The first line that differs. */
function difference(committed, current) {
  const [had, has] = [committed.split('\n'), current.split('\n')];
  const line = has.findIndex((text, index) => text !== had[index]);
  const at = line < 0 ? has.length : line;
  return `line ${at + 1}:\n    reported  ${had[at] ?? '(nothing)'}\n    exported  ${has[at] ?? '(nothing)'}`;
}

async function main() {
  const check = process.argv.includes('--check');
  rmSync(TYPES, { recursive: true, force: true });
  declare();
  mkdirSync(REPORTS, { recursive: true });
  for (const [name, entry] of Object.entries(MODULES)) {
    const path = join(REPORTS, `${name}.md`);
    const [committed, current] = [readText(path) ?? '', await reportOf(name, entry)];
    if (committed === current) continue;
    if (!check) writeFileSync(path, current);
    else {
      console.error(`docs/api-report/${name}.md differs from ${difference(committed, current)}`);
      process.exitCode = 1;
    }
  }
  if (process.exitCode) console.error('\nThe public modules have changed. If that is meant, run `npm run api` and commit the result.');
  else console.log(`api: the reports of ${Object.keys(MODULES).length} public modules agree with the code`);
}

await main().catch((error) => {
  console.error(`api: ${error.message}`);
  process.exitCode = 1;
});
