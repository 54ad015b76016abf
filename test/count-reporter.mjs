/** Ends the run with one plain line for programs: `N passed, N failed, N skipped`. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    // A file that does not load has no tests to count: it counts as one that failed.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    this.line = `${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`;
    process.on('exit', () => console.log(this.line));
  }
}
