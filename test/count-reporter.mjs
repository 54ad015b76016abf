import { relative } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { root } from '../standalone/preparation.mjs';

/** A message begins with what was expected; what follows these lines is stack. */
const LINES = 30;

/** Tells run.mjs how many tests passed, failed and were skipped, and why those failed. */
export default class CountReporter {
  onRunComplete(_contexts, results) {
    const counted = {
      passed: results.numPassedTests,
      // A file that does not load has no tests to count: it counts as one that failed.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    process.send?.({ counted, failures: results.testResults.flatMap(failuresOf) });
  }
}

/** One text for each test that failed; one for a file that failed without its tests. */
function failuresOf({ testFilePath, testResults, failureMessage }) {
  const file = relative(root, testFilePath);
  const failed = testResults.filter(({ status }) => status === 'failed');
  if (failed.length === 0) return failureMessage ? [described(file, failureMessage)] : [];
  return failed.map((test) => described(`${file}: ${test.fullName}`, test.failureMessages.join('\n')));
}

function described(name, message) {
  return [name, ...stripVTControlCharacters(message).split('\n').slice(0, LINES)].join('\n    ');
}
