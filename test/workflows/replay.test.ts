import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { projectRoot } from '../../standalone/project-root.ts';
import { workflowOptions } from '../../worker/workflow-options.ts';

const folder = join(projectRoot, 'test', 'histories');

/**
 * Histories recorded from real runs: a change of workflow code that breaks a running workflow fails here. Until the
 * first release they may be recorded anew: `RECORD_HISTORIES=1 npm test -- test/workflows`.
 */
const histories = readdirSync(folder).flatMap((type) =>
  readdirSync(join(folder, type)).map((file) => [type, file] as const),
);

/** By their names in the entry of the bundle. */
const types = [
  ...readFileSync(join(projectRoot, 'workflows', 'index.ts'), 'utf8').matchAll(/export \{ (\w+) \}/g),
].map(([, name]) => name);

// Otherwise the replayer reports every state of its workers.
beforeAll(() => void Runtime.install({ shutdownSignals: [], logger: new DefaultLogger('ERROR') }));

test('there is a history of every workflow type', () => {
  expect([...new Set(histories.map(([type]) => type))].toSorted()).toEqual(types.toSorted());
});

test.each(histories)('%s: %s still replays', async (type, file) => {
  const history: unknown = JSON.parse(readFileSync(join(folder, type, file), 'utf8'));
  await Worker.runReplayHistory({ ...workflowOptions }, history);
});
