// A Jest reporter that lists the slowest files, names those that do not end, and sends the result of the run to the process that started Jest
// (scripts/test.js).
const { spawnSync } = require('node:child_process');
const { relative } = require('node:path');

/** The number of files that the list has; a run of fewer files has none. */
const LISTED = 10;
const MINUTE_MS = 60_000;
/** A file that takes this long is named once in as many minutes. The longest takes four minutes on an idle machine. */
const REPORTED_MINUTES = 15;
/** A file that takes this long hangs, beyond what Jest's own limit of a test can end: the run ends without it. */
const MAX_MINUTES = 45;

module.exports = class TestReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    /** The path of each file in progress -> the minutes that it has taken. */
    this.running = new Map();
  }

  onRunStart() {
    this.timer = setInterval(() => this.watch(), MINUTE_MS);
    this.timer.unref();
  }

  onTestFileStart({ path }) {
    this.running.set(path, 0);
  }

  onTestFileResult({ path }, _result, { numPassedTests, numFailedTests }) {
    this.running.delete(path);
    this.counted = { passed: numPassedTests, failed: numFailedTests };
  }

  watch() {
    for (const [path, before] of this.running) {
      const minutes = before + 1;
      this.running.set(path, minutes);
      if (minutes % REPORTED_MINUTES === 0) console.error(`Still running after ${minutes} minutes: ${relative(this.rootDir, path)}`);
      if (minutes < MAX_MINUTES) continue;
      const { passed = 0, failed = 0 } = this.counted ?? {};
      // A worker in an endless loop would outlive Jest.
      spawnSync('pkill', ['-KILL', '-P', String(process.pid)]);
      process.send?.({ passed, failed: failed + this.running.size, skipped: [] }, () => process.exit(1));
      return;
    }
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    clearInterval(this.timer);
    if (testResults.length > LISTED) console.log(`\n${this.slowestOf(testResults).join('\n')}`);
    const left = testResults.flatMap(({ testResults: tests }) => tests.filter(({ status }) => status !== 'passed' && status !== 'failed'));
    process.send?.({
      passed: numPassedTests,
      // A file that failed to load has no tests; it counts as one failure.
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: left.map(({ fullName }) => fullName),
    });
  }

  slowestOf(files) {
    const millisecondsOf = ({ perfStats: { start, end } }) => end - start;
    const slowest = [...files].sort((one, other) => millisecondsOf(other) - millisecondsOf(one)).slice(0, LISTED);
    const lines = slowest.map(
      (file) => `${(millisecondsOf(file) / 1000).toFixed(1).padStart(7)} s  ${relative(this.rootDir, file.testFilePath)}`,
    );
    return [`The slowest of ${files.length} files:`, ...lines];
  }
};
