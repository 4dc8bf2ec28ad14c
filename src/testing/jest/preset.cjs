// Jest's preset for projects that build on Sluice: `preset: 'sluice'`. Jest on Node 20 can load CommonJS only, so SWC turns the project's
// TypeScript into CommonJS on the way in (Jest keeps the result in its cache). Packages stay as they are, and Node loads them: runtime.cjs.
const { typescriptOptions } = require('./typescript.cjs');

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: require.resolve('./environment.cjs'),
  // Node loads Sluice once a worker: what its decorators wrote there is needed by every test file, not by the first one only.
  testEnvironmentOptions: { keptGlobals: ['classValidatorMetadataStorage', 'typeormMetadataArgsStorage'] },
  runtime: require.resolve('./runtime.cjs'),
  transform: { '\\.ts$': ['@swc/jest', typescriptOptions('commonjs')] },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testMatch: ['**/*.spec.ts'],
  // The process is that of the worker, and Node's own streams use its nextTick.
  fakeTimers: { doNotFake: ['nextTick'] },
};
