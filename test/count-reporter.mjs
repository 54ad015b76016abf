/** Tells run.mjs how many tests passed, failed and were skipped. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const counted = {
      passed: results.numPassedTests,
      // A file that does not load has no tests to count: it counts as one that failed.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    process.send?.({ counted });
  }
}
