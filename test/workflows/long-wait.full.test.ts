import { attributes, ROW_CHANGED, workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, type TestTenant } from '../factories/tenant.ts';
import { createTransaction, evmAddress, readTransaction, registerWallet } from '../factories/transaction.ts';
import { startTestSystem, type TestSystem } from '../system.ts';

let system: TestSystem;
let alpine: TestTenant;

beforeAll(async () => {
  system = await startTestSystem();
  alpine = await createTenant(system);
});
afterAll(async () => await system.stop());

/** The server suggests a new run from 4,096 events on. */
const SIGNALS = 4_300;
/** The server keeps at most 100 signals while the workflow is at work. */
const AT_ONCE = 20;
/** Every signal is a step of the workflow: a machine short of CPU time takes minutes for all of them. */
const NEW_RUN_LIMIT_MS = 300_000;

test('a message that is woken thousands of times goes on in a new run, and is delivered', async () => {
  const destination = evmAddress();
  const sent = await createTransaction(alpine, { blockchainInfo: { blockchain: 'Ethereum', destination } });
  const becomes = async (subStatus: string | null) =>
    await eventually(
      async () => await readTransaction(alpine, sent.id),
      (now) => now.subStatus === subStatus,
    );
  await becomes('VASP_NOT_FOUND');
  const handle = system.client.workflow.getHandle(workflowId('transactionLifecycle', sent.id));
  const { runId } = await handle.describe();
  for (let count = 0; count < SIGNALS; count += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, async () => await handle.signal(ROW_CHANGED)));
  }
  const next = await eventually(
    async () => await handle.describe(),
    (run) => run.runId !== runId,
    NEW_RUN_LIMIT_MS,
  );
  expect(next.status.name).toBe('RUNNING');
  expect(next.typedSearchAttributes.get(attributes.tenantName)).toBe(alpine.name);
  await registerWallet(await createTenant(system), destination);
  await becomes('AWAITING_COUNTERPARTY');
}, 600_000);
