import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from '@temporalio/worker';
import { bundle } from '../workflow-bundle.ts';

const folder = fileURLToPath(new URL('../histories/', import.meta.url));

/**
 * Histories recorded from real runs: a change of workflow code that breaks a running workflow fails here. Until the
 * first release they may be recorded anew: `RECORD_HISTORIES=1 npm test -- test/workflows`.
 */
const histories = readdirSync(folder).flatMap((type) =>
  readdirSync(join(folder, type)).map((file) => [type, file] as const),
);

/** By their names in the entry of the bundle. */
const types = [
  ...readFileSync(new URL('../../workflows/index.ts', import.meta.url), 'utf8').matchAll(
    /export \{ (\w+) \}/g,
  ),
].map(([, name]) => name);

test('there is a history of every workflow type', () => {
  expect([...new Set(histories.map(([type]) => type))].toSorted()).toEqual(types.toSorted());
});

test.each(histories)('%s: %s still replays', async (type, file) => {
  const history: unknown = JSON.parse(readFileSync(join(folder, type, file), 'utf8'));
  await Worker.runReplayHistory({ workflowBundle: bundle }, history);
});
