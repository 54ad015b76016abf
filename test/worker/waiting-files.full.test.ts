import { heartbeat } from '@temporalio/activity';
import { startImport, startWorkflow } from '../../workflows/start.ts';
import { eventually } from '../eventually.ts';
import { untilCompleted, useLimitedWorkers } from './limited-workers.ts';

// Files of wallets whose turn does not come until they are let go.

const held = new Set<string>();
const workers = useLimitedWorkers((released) => ({
  async importWallets({ sha256 }) {
    held.add(sha256);
    // Without a sign of life it would be given to a second place, so that fewer files are held than places.
    const beating = setInterval(() => heartbeat(), 1_000);
    await released.finally(() => clearInterval(beating));
  },
  finishReleased: async () => await Promise.resolve({ finished: 0, total: 0, isDone: true }),
}));

test('files that wait for their turn take no place from the steps of others', async () => {
  for (let n = 0; n < 110; n += 1)
    await startImport(workers.client, { tenantId: 'alpine', sha256: String(n) });
  await eventually(
    () => held.size,
    (files) => files >= 100,
  );
  const entry = { id: 0, tenantId: 'harbour', workflow: 'walletRelease' as const, subjectId: 'r' };
  await startWorkflow(workers.client, { ...entry, summary: 'Release' });
  await untilCompleted(workers.client, 'walletRelease', 'r');
});
