import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Seconds of the slowest files by path, as they once took: for a machine on which they have not run yet. */
const SECONDS = JSON.parse(readFileSync(new URL('./slow-files.json', import.meta.url), 'utf8'));
/** A file that is neither recorded nor listed is taken for a quick one. */
const QUICK_MS = 1_000;

/**
 * Starts the slow files first: begun last, one of them would be waited for alone. jest itself sorts by the time that each
 * file took in its last run on this machine, and keeps these times in its cache; files without a time get one here.
 */
export default class SlowFirst extends TestSequencer {
  time(test) {
    const path = relative(test.context.config.rootDir, test.path).split(sep).join('/');
    return super.time(test) ?? (SECONDS[path] === undefined ? QUICK_MS : SECONDS[path] * 1_000);
  }
}
