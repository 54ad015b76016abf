import { openLiveness } from '../../activities/liveness/http-liveness.ts';
import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { formOf, isoMedia } from '../factories/evidence.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createVerification, readVerification } from '../factories/verification.ts';
import { fakeLiveness } from '../fakes/liveness.ts';
import { recordHistory } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let tenant: TestTenant;
let program: Awaited<ReturnType<typeof fakeLiveness>>;
let isDown = false;

beforeAll(async () => {
  program = await fakeLiveness(() =>
    isDown ? { status: 503, body: {} } : { status: 200, body: { result: 'PASS', score: 0.9 } },
  );
  system = await startTestSystem({ activities: { liveness: openLiveness(program.url) } });
  tenant = await createTenant(system);
});
afterAll(async () => {
  await system.stop();
  program.stop();
});

async function giveSelfie(): Promise<string> {
  const made = await createVerification(tenant, { additionalSteps: [{ kind: 'SELFIE', autoConfirm: true }] });
  const given = await fetch(`${system.url}/wallet-verification/${made.id}/additional-steps/SELFIE`, {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({}, [{ fileName: 'me.mp4', content: isoMedia() }]),
  });
  expect(given.status).toBe(200);
  return made.id;
}

const stepStatus = async (id: string) => (await readVerification(tenant, id)).additionalSteps[0]?.status;
const running = (id: string) => system.client.workflow.getHandle(workflowId('selfieAnalysis', id));

test('a selfie that is given is analysed by a workflow of its own, and confirmed', async () => {
  const id = await giveSelfie();
  await eventually(
    async () => await stepStatus(id),
    (status) => status === 'VERIFIED',
  );
  await running(id).result();
  await recordHistory(system.client, 'selfieAnalysis', id, 'confirmed');
  const { rows } = await system.db.pool.query('select 1 from selfie_analyses');
  expect(rows).toEqual([]);
  // What operators read says nothing about the wallet or its owner.
  const { staticSummary } = await running(id).describe();
  expect(await staticSummary()).toBe('Selfie of a verification on Ethereum');
});

test('a program that is down is asked again, and the verification goes on meanwhile', async () => {
  isDown = true;
  const asked = program.seen.length;
  const id = await giveSelfie();
  await eventually(
    async () => await Promise.resolve(program.seen.length),
    (seen) => seen > asked,
  );
  expect(await stepStatus(id)).toBe('ACTION_REQUIRED');
  isDown = false;
  await eventually(
    async () => await stepStatus(id),
    (status) => status === 'VERIFIED',
  );
});

test('a selfie whose workflow was lost is taken up by the sweep', async () => {
  isDown = true;
  const id = await giveSelfie();
  await eventually(
    async () => await running(id).describe(),
    ({ status }) => status.name === 'RUNNING',
  );
  await running(id).terminate('lost');
  await system.db.pool.query(
    `update selfie_analyses set wake_at = now() - interval '2 minutes' where id = $1`,
    [id],
  );
  isDown = false;
  await system.sweep();
  await eventually(
    async () => await stepStatus(id),
    (status) => status === 'VERIFIED',
  );
});
