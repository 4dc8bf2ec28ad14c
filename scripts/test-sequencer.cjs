// Jest's order of the test files, with those that take longest first: in a fresh clone Jest knows no durations, and a file of minutes that
// begins last leaves the other workers without work.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { packagesOf } = require('../src/testing/jest/jest-packages.cjs');

const { default: Sequencer } = packagesOf('@jest/core', 'jest-config')('@jest/test-sequencer');

const ROOT = join(__dirname, '..');
/** The files of more than half a minute, the longest first: the summary of a run lists the slowest (test-reporter.cjs). */
const LONGEST = [
  'test/process/lifecycle.spec.ts',
  'test/process/backup.spec.ts',
  'test/process/operator-commands.spec.ts',
  'test/crash/kill.spec.ts',
  'test/e2e/extension-outside.spec.ts',
  'test/browser/states.spec.ts',
  'test/e2e/durable-consumers.spec.ts',
  'test/crash/matrix.spec.ts',
  'test/process/embedded-postgres-crash.spec.ts',
  'test/e2e/extension-migration.spec.ts',
  'test/e2e/bad-input.spec.ts',
  'test/e2e/webhooks.spec.ts',
  'test/process/embedded-postgres.spec.ts',
  'test/e2e/lnd-surroundings.spec.ts',
  'test/readme/readme.spec.ts',
  'test/browser/pages.spec.ts',
  'test/browser/main-job.spec.ts',
  'test/e2e/extension-refusal.spec.ts',
  'test/e2e/jobs.spec.ts',
  'test/e2e/reconciliation.spec.ts',
  'test/concurrency/locked-rows.spec.ts',
  'test/e2e/slow-connections.spec.ts',
  'test/e2e/price.spec.ts',
  'test/e2e/ln-invoice-payment-send.spec.ts',
  'test/attack/amplification.spec.ts',
  'test/concurrency/revocation.spec.ts',
  'test/process/two-releases.spec.ts',
  'test/clients/openid-client-6.spec.ts',
  'test/clients/demo-keys.spec.ts',
  'test/process/crash.spec.ts',
].map((path) => join(ROOT, path));

const rankOf = ({ path }) => (LONGEST.includes(path) ? LONGEST.indexOf(path) : LONGEST.length);
const longestFirst = (one, other) => rankOf(one) - rankOf(other);

module.exports = class LongestFirst extends Sequencer {
  constructor(...args) {
    super(...args);
    const missing = LONGEST.find((path) => !existsSync(path));
    if (missing) throw new Error(`test-sequencer.cjs lists ${missing}, which does not exist`);
  }

  /** The files are dealt like cards, in an order that every machine has: Jest's own cuts the list of paths, whatever they take. */
  shard(tests, { shardIndex, shardCount }) {
    const byPath = [...tests].sort((one, other) => (one.path < other.path ? -1 : 1));
    return byPath.sort(longestFirst).filter((_test, index) => index % shardCount === shardIndex - 1);
  }

  sort(tests) {
    // The sort is stable: Jest's own order remains among the others.
    return super.sort(tests).sort(longestFirst);
  }
};
