// A Jest reporter that sends the result of the run to the process that started Jest (scripts/test.js).

module.exports = class TestReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    const left = testResults.flatMap(({ testResults: tests }) => tests.filter(({ status }) => status !== 'passed' && status !== 'failed'));
    process.send?.({
      passed: numPassedTests,
      // A file that failed to load has no tests; it counts as one failure.
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: left.map(({ fullName }) => fullName),
    });
  }
};
