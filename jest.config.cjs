// Jest 30 cannot `require` ES modules on Node 20, and NestJS 12 is made of nothing else. So tests run as CommonJS:
// SWC turns our TypeScript and every ESM package into CommonJS on the way in (Jest keeps the result in its cache).
const { availableParallelism } = require('node:os');
const { existsSync, readFileSync } = require('node:fs');
const { join } = require('node:path');
const { packageOptions, typescriptOptions } = require('./scripts/swc.cjs');

/** The names of all installed packages that are ESM, found through npm's own record of what it installed. */
function esmPackages() {
  const record = join(__dirname, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return [];
  const names = new Set();
  for (const path of Object.keys(JSON.parse(readFileSync(record, 'utf8')).packages)) {
    const manifest = join(__dirname, path, 'package.json');
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).type === 'module') {
      names.add(path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    }
  }
  return [...names];
}

const alternatives = esmPackages()
  .map((name) => name.replace(/[.]/g, '\\$&'))
  .join('|');

/** Folders of `test` whose files start processes or browsers, or work for long. */
const SLOW = ['browser', 'clients', 'crash', 'leak', 'model', 'process', 'readme', 'schema', 'types'];

/** @type {import('jest').Config} What the projects have in common. */
const common = {
  testEnvironment: 'node',
  transform: {
    '\\.ts$': ['@swc/jest', typescriptOptions('commonjs')],
    '\\.m?js$': ['@swc/jest', packageOptions()],
  },
  // Only what lies directly in the last node_modules of a path counts: a CommonJS package may sit inside an ESM one and the other way round.
  transformIgnorePatterns: [`/node_modules/(?!(?:${alternatives})/)(?!.*/node_modules/)`],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/output/'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/client/', '<rootDir>/test/output/'],
};
const withDatabase = {
  ...common,
  roots: ['<rootDir>/test'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
const slow = SLOW.map((folder) => `<rootDir>/test/${folder}/`);

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    { ...common, displayName: 'unit', roots: ['<rootDir>/src'], testMatch: ['**/*.spec.ts'] },
    {
      ...withDatabase,
      displayName: 'e2e',
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, ...slow],
    },
    { ...withDatabase, displayName: 'slow', testMatch: slow.map((folder) => `${folder}**/*.spec.ts`) },
  ],
  reporters: ['default', '<rootDir>/scripts/test-reporter.cjs'],
  watchman: false,
  testTimeout: 30_000,
  // More workers than this wait for the one database, not for processors.
  maxWorkers: Math.min(availableParallelism(), 4),
  // Every test file loads the application anew; a worker that has grown this far is replaced.
  workerIdleMemoryLimit: '1GB',
};
