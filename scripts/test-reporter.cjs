// A Jest reporter that lists the slowest files, and sends the result of the run to the process that started Jest (scripts/test.js).
const { relative } = require('node:path');

/** The number of files that the list has; a run of fewer files has none. */
const LISTED = 10;

module.exports = class TestReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
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
