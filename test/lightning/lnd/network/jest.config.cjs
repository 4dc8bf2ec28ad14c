// `npm run test:lnd`: what needs real LND nodes, which `scripts/test-lnd.js` builds first.
const preset = require('../../../../src/testing/jest/preset.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...preset,
  testEnvironmentOptions: {},
  rootDir: '../../../..',
  roots: ['<rootDir>/test/lightning/lnd/network'],
  testMatch: ['**/*.lnd.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
};
