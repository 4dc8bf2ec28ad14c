// Jest's order of the test files, with those that take longest first: in a fresh clone Jest knows no durations, and a file of minutes that
// begins last leaves the other workers without work.
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { packagesOf } = require('../src/testing/jest/jest-packages.cjs');

const { default: Sequencer } = packagesOf('@jest/core', 'jest-config')('@jest/test-sequencer');

const ROOT = join(__dirname, '..');
/** The files of about half a minute and more, the longest first: the summary of a run lists the slowest (test-reporter.cjs). */
const LONGEST = [
  'test/e2e/extension-outside.spec.ts',
  'test/process/backup.spec.ts',
  'test/browser/states.spec.ts',
  'test/process/lifecycle.spec.ts',
  'test/attack/subscription-memory.spec.ts',
  'test/crash/matrix.spec.ts',
  'test/crash/kill.spec.ts',
  'test/e2e/durable-consumers.spec.ts',
  'test/process/two-releases.spec.ts',
  'test/schema/tables.spec.ts',
  'test/schema/api-report.spec.ts',
  'test/readme/readme.spec.ts',
  'test/concurrency/locked-rows.spec.ts',
  'test/schema/codegen-check.spec.ts',
  'test/process/embedded-postgres-crash.spec.ts',
  'test/attack/floods.spec.ts',
  'test/process/operator-commands.spec.ts',
  'test/process/jobs.spec.ts',
  'test/e2e/lnd-surroundings.spec.ts',
  'test/leak/pipelined-answers.spec.ts',
  'test/model/processes.spec.ts',
  'test/e2e/slow-connections.spec.ts',
  'test/attack/history-files.spec.ts',
  'test/browser/pages.spec.ts',
  'test/e2e/jobs.spec.ts',
  'test/attack/amplification.spec.ts',
  'test/crash/fault-points.spec.ts',
  'test/attack/large-and-slow-bodies.spec.ts',
  'test/process/scripts.spec.ts',
  'test/types/application.spec.ts',
  'test/attack/closed-address.spec.ts',
  'test/e2e/http-price.spec.ts',
  'test/architecture/planted.spec.ts',
  'test/crash/stand-still.spec.ts',
  'test/browser/main-job.spec.ts',
  'test/e2e/bad-input.spec.ts',
  'test/e2e/database-surroundings.spec.ts',
  'test/contract/mutants.spec.ts',
  'test/e2e/webhooks.spec.ts',
  'test/process/two-processes.spec.ts',
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
