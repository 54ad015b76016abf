import { ensureSchedules, removeListSchedules } from '../../worker/schedules.ts';
import { attributes, workflowId } from '../../workflows/contract.ts';
import { readActiveVersions } from '../../db/sanctions-lists/read-versions.ts';
import { eventually } from '../eventually.ts';
import { form, FORM_TYPE } from '../factories/csv.ts';
import { contentsAt, listCsv, subjects } from '../factories/sanctions-list.ts';
import { startPublisher, type Publisher } from '../fakes/publisher.ts';
import { recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { TEMPORAL_MS } from '../temporal.ts';

const CODE = 'UK_SL';
const workflow = 'sanctionsListUpdate';

let system: TestSystem;
let publisher: Publisher;
beforeAll(async () => {
  publisher = await startPublisher();
  const source = { code: CODE, format: 'CSV', urls: [`${publisher.url}/list.csv`] } as const;
  system = await startTestSystem({ keepsLists: true, activities: { lists: [source] } });
});
afterAll(async () => {
  await system.stop();
  await publisher.stop();
});

const HUNDRED = subjects(100);
const schedule = () => system.client.schedule.getHandle(workflowId(workflow, CODE));

/** Runs that begin in the same second have the same workflow id. */
const workflowIdOf = (run: unknown) => String(run).split(' ')[0] ?? '';

/** The results of the runs that have ended, by workflow and run. */
async function results(): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  const query = `TrKind = '${workflow}' and ExecutionStatus = 'Completed'`;
  for await (const run of system.client.workflow.list({ query })) {
    found.set(
      `${run.workflowId} ${run.runId}`,
      await system.client.workflow.getHandle(run.workflowId, run.runId).result(),
    );
  }
  return found;
}

test('a list is fetched as soon as it is configured, and then every hour, one run at a time', async () => {
  publisher.publish('/list.csv', listCsv(HUNDRED));
  await ensureSchedules(system.client, [CODE], TEMPORAL_MS);
  const { spec, policies, action } = await schedule().describe();
  expect(spec.intervals).toEqual([expect.objectContaining({ every: 3_600_000 })]);
  expect(spec.jitter).toBe(600_000);
  expect(policies.overlap).toBe('SKIP');
  expect(action.args).toEqual([{ code: CODE }]);
  const [[id, result] = []] = await eventually(results, (ended) => ended.size === 1);
  // The run of the next hour would be one more.
  await schedule().pause();
  expect(result).toEqual({ outcome: 'ACTIVATED', version: 1 });
  const run = await system.client.workflow.getHandle(workflowIdOf(id)).describe();
  expect(run.typedSearchAttributes.get(attributes.status)).toBe('ACTIVATED');
  await recordRun(system.client, workflowIdOf(id), { type: workflow, name: 'fetched' });
  expect(await contentsAt(system.db.pool, CODE, 1)).toEqual(HUNDRED);
});

test('a run with nothing new ends with that', async () => {
  await schedule().trigger();
  const ended = await eventually(results, (all) => all.size === 2);
  const unchanged = [...ended].find(([, result]) => (result as { version: unknown }).version === null);
  expect(unchanged?.[1]).toEqual({ outcome: 'UNCHANGED', version: null });
  await recordRun(system.client, workflowIdOf(unchanged?.[0]), { type: workflow, name: 'unchanged' });
});

test('an uploaded file is active when its answer comes', async () => {
  const body = form([
    ['format', 'CSV'],
    ['file', listCsv(subjects(3)), 'own.csv'],
  ]);
  const answer = await system.request('POST', '/operator/lists/OWN_LIST/versions', {
    operatorKey: system.operatorKey,
    body,
    headers: FORM_TYPE,
  });
  expect(answer).toMatchObject({ status: 201, body: { version: 1, entries: 3 } });
  expect(await readActiveVersions(system.db.pool)).toContainEqual(
    expect.objectContaining({ code: 'OWN_LIST', version: 1 }),
  );
  const ids = [...(await eventually(results, (all) => all.size === 3)).keys()];
  const id = ids.find((each) => each.startsWith('list/OWN_LIST/'));
  await recordRun(system.client, workflowIdOf(id), { type: workflow, name: 'uploaded' });
});

test('a publisher that fails is asked again before the run gives up', async () => {
  let asked = 0;
  publisher.publish('/list.csv', (_request, response) => {
    asked += 1;
    response.writeHead(asked === 1 ? 500 : 200).end(asked === 1 ? '' : listCsv(subjects(101)));
  });
  await schedule().trigger();
  const ended = await eventually(results, (all) => all.size === 4);
  expect([...ended.values()]).toContainEqual({ outcome: 'ACTIVATED', version: 2 });
  expect(asked).toBe(2);
});

test('the schedule of a list that is switched off is ended, whoever ends it first', async () => {
  await removeListSchedules(system.client, [CODE], TEMPORAL_MS);
  await schedule().describe();
  await removeListSchedules(system.client, [], TEMPORAL_MS);
  await removeListSchedules(system.client, [], TEMPORAL_MS);
  await expect(schedule().describe()).rejects.toThrow();
});
