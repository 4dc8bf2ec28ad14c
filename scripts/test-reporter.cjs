// A Jest reporter that tells the process which started Jest (scripts/test.js) how the run ended.

module.exports = class TestReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults }) {
    const left = testResults.flatMap(({ testResults: tests }) => tests.filter(({ status }) => status !== 'passed' && status !== 'failed'));
    process.send?.({
      passed: numPassedTests,
      // A file that could not even be loaded has no tests to fail; it counts as one.
      failed: numFailedTests + numRuntimeErrorTestSuites,
      skipped: left.map(({ fullName }) => fullName),
    });
  }
};
