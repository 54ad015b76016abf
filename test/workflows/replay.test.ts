import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { projectRoot } from '../../standalone/project-root.ts';
import { workflowOptions } from '../../worker/workflow-options.ts';

const folder = join(projectRoot, 'test', 'histories');

/**
 * Histories recorded from real runs: a change of workflow code that breaks a running workflow fails here. Until the
 * first release they may be recorded anew: `RECORD_HISTORIES=1 npm run test:full -- test/workflows`.
 */
const histories = readdirSync(folder).flatMap((type) =>
  readdirSync(join(folder, type)).map((file) => [type, file] as const),
);

/** By their names in the entry of the bundle. */
const types = [
  ...readFileSync(join(projectRoot, 'workflows', 'index.ts'), 'utf8').matchAll(/export \{ (\w+) \}/g),
].map(([, name]) => name);

/** What each replay has ended with, by folder and file; null where it fits. */
const outcomes = new Map<string, Error | null>();

// One worker for all: each loads the workflows, which takes longer than all replays.
beforeAll(async () => {
  // Otherwise the replayer reports every state of its workers.
  Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') });
  const stored = histories.map(([type, file]) => ({
    workflowId: join(type, file),
    history: JSON.parse(readFileSync(join(folder, type, file), 'utf8')) as unknown,
  }));
  for await (const { workflowId, error } of Worker.runReplayHistories({ ...workflowOptions }, stored))
    outcomes.set(workflowId, error ?? null);
});

test('there is a history of every workflow type', () => {
  expect([...new Set(histories.map(([type]) => type))].toSorted()).toEqual(types.toSorted());
});

test.each(histories)('%s: %s still replays', (type, file) => {
  expect(outcomes.get(join(type, file))).toBeNull();
});
