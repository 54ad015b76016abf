import { trpPlaces } from '../../activities/network/trp-places.ts';
import { startWorkflow } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';
import { untilCompleted, useLimitedWorkers } from './limited-workers.ts';

// VASPs of one tenant that do not answer calls by TRP until they are let go. The test checks that the calls take no place from those
// of another tenant, though they are more than a worker has places.

const places = trpPlaces();
let held = 0;
let refused = 0;
const workers = useLimitedWorkers((released) => ({
  async sendTrpNotice({ id }) {
    const [tenantId = '', host = ''] = id.split('_');
    const call = { what: 'NOTICE' as const, tenantId, host };
    const made = places(call, async () => {
      if (tenantId !== 'hostile') return 'TOLD' as const;
      held += 1;
      await released;
      return 'TOLD' as const;
    });
    return await made.catch((error: unknown) => {
      refused += 1;
      throw error;
    });
  },
}));

test('VASPs of one tenant that hang take no place from the calls of another tenant', async () => {
  const entry = { id: 0, workflow: 'trpNotice' as const, summary: 'Notice' };
  for (let n = 0; n < 250; n += 1)
    await startWorkflow(workers.client, {
      ...entry,
      tenantId: 'hostile',
      subjectId: `hostile_vasp-${n % 50}_${n}`,
    });
  await eventually(
    () => held + refused,
    (calls) => calls >= 250,
  );
  await startWorkflow(workers.client, { ...entry, tenantId: 'alpine', subjectId: 'alpine_vasp-1_1' });
  await untilCompleted(workers.client, 'trpNotice', 'alpine_vasp-1_1');
  expect(held).toBe(32);
});
