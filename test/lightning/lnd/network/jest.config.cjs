// `npm run test:lnd`: what needs real LND nodes, which `scripts/test-lnd.js` builds first; `npm run bench:lnd`: what a payment costs there.
const preset = require('../../../../src/testing/jest/preset.cjs');

/** @type {import('jest').Config} */
module.exports = {
  ...preset,
  testEnvironmentOptions: {},
  rootDir: '../../../..',
  roots: ['<rootDir>/test/lightning/lnd/network'],
  testMatch: [process.env.LND_BENCH ? '**/*.bench.ts' : '**/*.lnd.ts'],
  testTimeout: 300_000,
  maxWorkers: 1,
  // Nodes end with the process. Those of a start that failed would keep it alive.
  forceExit: true,
};
