// Jest on Node 20 can load CommonJS only, so SWC turns our TypeScript into CommonJS on the way in (Jest keeps the result in its cache).
// Packages stay as they are, and Node loads them: test/jest has the reason.
const { availableParallelism } = require('node:os');
const { typescriptOptions } = require('./scripts/swc.cjs');

/** Folders of `test` whose files start processes or browsers, or work for long. */
const SLOW = ['browser', 'clients', 'crash', 'leak', 'model', 'process', 'readme', 'schema', 'types'];

/** @type {import('jest').Config} What the projects have in common. */
const common = {
  testEnvironment: '<rootDir>/test/jest/environment.cjs',
  runtime: '<rootDir>/test/jest/runtime.cjs',
  transform: { '\\.ts$': ['@swc/jest', typescriptOptions('commonjs')] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/output/'],
  // The process is that of the worker, and Node's own streams use its nextTick.
  fakeTimers: { doNotFake: ['nextTick'] },
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
  // What packages keep of each test file makes a worker grow; one that has grown this far is replaced.
  workerIdleMemoryLimit: '1GB',
};
