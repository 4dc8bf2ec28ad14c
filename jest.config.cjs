// The preset is the one that other projects use: src/testing/jest has its reasons.
const { availableParallelism, totalmem } = require('node:os');
const { testMatch, ...preset } = require('./src/testing/jest/preset.cjs');

/** Folders of `test` whose files start processes or browsers, or work for long. */
const SLOW = ['browser', 'clients', 'crash', 'leak', 'model', 'process', 'readme', 'schema', 'types'];

/** @type {import('jest').Config} What the projects have in common. */
const common = {
  ...preset,
  // Here every test file has instances of its own of Sluice's modules, which write these globals anew.
  testEnvironmentOptions: {},
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/test/output/'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/client/', '<rootDir>/test/output/'],
};
const withDatabase = {
  ...common,
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};
/** These run what is shipped. */
const built = {
  ...withDatabase,
  runtime: '<rootDir>/test/support/runtime.cjs',
  testEnvironmentOptions: preset.testEnvironmentOptions,
  roots: ['<rootDir>/test'],
};
const slow = SLOW.map((folder) => `<rootDir>/test/${folder}/`);

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    { ...common, displayName: 'unit', roots: ['<rootDir>/src'], testMatch },
    { ...withDatabase, displayName: 'architecture', roots: ['<rootDir>/test/architecture'], testMatch },
    {
      ...built,
      displayName: 'e2e',
      testMatch,
      testPathIgnorePatterns: [...common.testPathIgnorePatterns, '<rootDir>/test/architecture/', ...slow],
    },
    { ...built, displayName: 'slow', testMatch: slow.map((folder) => `${folder}**/*.spec.ts`) },
  ],
  testSequencer: '<rootDir>/scripts/test-sequencer.cjs',
  reporters: ['default', '<rootDir>/scripts/test-reporter.cjs'],
  watchman: false,
  // It ends a test that hangs. A busy machine can be many times slower than an idle one, and slowness is not a fault.
  testTimeout: 900_000,
  // Two more than processors, because a worker often waits for a process or a clock. More than four wait for the one database.
  maxWorkers: Math.min(availableParallelism() + 2, 4),
  // What packages keep of each test file makes a worker grow; one that has grown this far is replaced, which costs three seconds of a processor.
  workerIdleMemoryLimit: Math.min(Math.max(totalmem() / 8, 1e9), 2e9),
};
