// `npm run api` writes what the public modules export to docs/api-report/, by API Extractor; `--check` writes nothing and fails when a report
// differs, or when something has gone since the last release that CHANGELOG.md does not name. A change of a report is a change for all who
// build on Sluice: review it as such.
import './node-version.js';

const { spawnSync } = await import('node:child_process');
const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = await import('node:fs');
const { join } = await import('node:path');
const { breachesOf, withoutInternals } = await import('./api-changes.js');
const { COMPILER, projectRoot, readText } = await import('./project.js');

/** The public modules by the names of their reports: `exports` of package.json. */
const MODULES = {
  sluice: 'src/index.d.ts',
  'sluice-testing': 'src/testing/index.d.ts',
  'sluice-client': 'src/client/index.d.ts',
};
const TYPES = join(projectRoot, 'test/output/api-types');
const REPORTS = join(projectRoot, 'docs/api-report');
/** The reports of the last release, in a folder that has its version. */
const RELEASED = join(projectRoot, 'test/schema');

/** Creates the declarations of the public modules, and of all that they need, without what is internal. */
function declare() {
  const args = ['-p', join(projectRoot, 'tsconfig.pack.json'), '--outDir', TYPES, '--stripInternal'];
  const { status } = spawnSync(process.execPath, [COMPILER, ...args], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error('the declarations of the public modules do not compile');
  const files = readdirSync(join(TYPES, 'src'), { recursive: true }).filter((path) => path.endsWith('.d.ts'));
  for (const path of files.map((each) => join(TYPES, 'src', each))) {
    const text = readFileSync(path, 'utf8');
    const shown = withoutInternals(text, { constructors: !/src\/(client|testing)\//.test(path) });
    if (shown !== text) writeFileSync(path, shown);
  }
}

/** The reports by their names. One compilation serves all of them. */
async function reportsOf(modules) {
  const { CompilerState, Extractor, ExtractorConfig } = await import('@microsoft/api-extractor');
  const folder = join(TYPES, 'reports');
  mkdirSync(folder, { recursive: true });
  const files = Object.values(modules).map((entry) => join(TYPES, entry));
  const configs = Object.entries(modules).map(([name, entry]) => [name, configOf({ ExtractorConfig, name, entry, files, folder })]);
  const compilerState = CompilerState.create(configs[0][1], { additionalEntryPoints: files });
  const faults = new Set();
  const messageCallback = (message) => {
    if (message.logLevel === 'error' && message.category === 'Compiler') faults.add(message.text);
    message.handled = true;
  };
  // Release tags and names that are used but not exported are API Extractor's conventions, not Sluice's.
  for (const [, config] of configs) Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
  if (faults.size > 0) throw new Error([...faults].join('\n'));
  return new Map(configs.map(([name]) => [name, readText(folder, `${name}.api.md`)]));
}

const configOf = ({ ExtractorConfig, name, entry, files, folder }) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: projectRoot,
      mainEntryPointFilePath: join(TYPES, entry),
      newlineKind: 'lf',
      compiler: {
        overrideTsconfig: {
          compilerOptions: { target: 'ES2023', module: 'NodeNext', moduleResolution: 'NodeNext', types: ['node'], skipLibCheck: true },
          files,
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

/** The first line that differs. */
function difference(committed, current) {
  const [had, has] = [committed.split('\n'), current.split('\n')];
  const line = has.findIndex((text, index) => text !== had[index]);
  const at = line < 0 ? has.length : line;
  return `line ${at + 1}:\n    reported  ${had[at] ?? '(nothing)'}\n    exported  ${has[at] ?? '(nothing)'}`;
}

/** The versions of CHANGELOG.md with what it says of each, the newest first; `Unreleased` is one too. */
function changes() {
  const [, ...sections] = (readText(projectRoot, 'CHANGELOG.md') ?? '').split(/^## \[/m);
  return sections.map((text) => [text.slice(0, text.indexOf(']')), text]);
}

/** Writes the reports of a release to where the next changes are compared with them. */
function keepReleased(version, reports) {
  for (const name of readdirSync(RELEASED)) if (/^api-\d/.test(name)) rmSync(join(RELEASED, name), { recursive: true });
  mkdirSync(join(RELEASED, `api-${version}`));
  for (const [name, text] of reports) writeFileSync(join(RELEASED, `api-${version}`, `${name}.md`), text);
  console.log(`wrote test/schema/api-${version}: the next changes are compared with this release`);
}

/** @returns whether the changelog names everything that was removed or narrowed since the last release */
function namesBreaches(version, unreleased, reports) {
  const said = new Set([...unreleased.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  const breaches = [...reports].flatMap(([name, text]) =>
    breachesOf(readText(RELEASED, `api-${version}`, `${name}.md`) ?? '', text, { constructors: name === 'sluice' }),
  );
  for (const { name, what } of breaches)
    (said.has(name) ? console.log : console.error)(
      `breaking: ${name} ${what}${said.has(name) ? '' : `; CHANGELOG.md does not name \`${name}\``}`,
    );
  return breaches.every(({ name }) => said.has(name));
}

/** The last release of CHANGELOG.md, and what the file says of changes since. */
function latest() {
  const [[first, unreleased] = [], [second] = []] = changes();
  const version = first === 'Unreleased' ? second : first;
  if (version === undefined) throw new Error('CHANGELOG.md has no release');
  return { version, unreleased: first === 'Unreleased' ? unreleased : '' };
}

async function main() {
  const check = process.argv.includes('--check');
  const { version, unreleased } = latest();
  for (const folder of [REPORTS, RELEASED]) mkdirSync(folder, { recursive: true });
  const isKept = readdirSync(RELEASED).includes(`api-${version}`);
  if (!isKept && check) throw new Error(`test/schema/api-${version} is missing: run \`npm run api\` in the commit of the release`);
  rmSync(TYPES, { recursive: true, force: true });
  declare();
  const reports = await reportsOf(MODULES);
  for (const [name, current] of reports) {
    const path = join(REPORTS, `${name}.md`);
    const committed = readText(path) ?? '';
    if (committed === current) continue;
    if (!check) writeFileSync(path, current);
    else {
      console.error(`docs/api-report/${name}.md differs from ${difference(committed, current)}`);
      process.exitCode = 1;
    }
  }
  if (process.exitCode) console.error('\nThe public modules have changed. If that is meant, run `npm run api` and commit the result.');
  if (!isKept) keepReleased(version, reports);
  else if (!namesBreaches(version, unreleased, reports)) {
    console.error('\nAuthors of extensions lose that. If it is meant, name it in CHANGELOG.md, with what to use instead.');
    process.exitCode = 1;
  }
  if (!process.exitCode) console.log(`api: the reports of ${Object.keys(MODULES).length} public modules agree with the code`);
}

await main().catch((error) => {
  console.error(`api: ${error.message}`);
  process.exitCode = 1;
});
