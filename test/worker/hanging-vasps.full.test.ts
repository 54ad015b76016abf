import { startWorkflow } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';
import { untilCompleted, useLimitedWorkers } from './limited-workers.ts';

// VASPs that do not answer calls by TRP until they are let go. The test checks which places the calls take: of the 500 of
// webhooks none.

const held = new Set<string>();
let attempts = 0;
const workers = useLimitedWorkers((released) => ({
  async sendTrpNotice({ id }) {
    held.add(id);
    await released;
    return 'TOLD';
  },
  async attemptDelivery() {
    attempts += 1;
    return await Promise.resolve({ outcome: attempts === 1 ? 'HAND_OVER' : 'MISSING' });
  },
}));

test('VASPs that hang when they are called by TRP take no place from webhooks', async () => {
  const entry = { id: 0, tenantId: 'alpine', summary: 'Notice' };
  for (let n = 0; n < 220; n += 1)
    await startWorkflow(workers.client, { ...entry, workflow: 'trpNotice', subjectId: `n-${n}` });
  await eventually(
    () => held.size,
    (calls) => calls === 200,
  );
  await startWorkflow(workers.client, { ...entry, workflow: 'webhookDelivery', subjectId: 'w' });
  await untilCompleted(workers.client, 'webhookDelivery', 'w');
  expect(held.size).toBe(200);
});
