import type { WebhookDelivery } from '../../domain/webhooks/schema.ts';
import { ensureSchedules } from '../../worker/schedules.ts';
import { workflowId } from '../../workflows/contract.ts';
import { eventually } from '../eventually.ts';
import { createTenant, WEBHOOK_URL } from '../factories/tenant.ts';
import { createTransaction, evmHash } from '../factories/transaction.ts';
import { recordRun } from '../record-history.ts';
import { startTestSystem, type TestSystem } from '../system.ts';
import { TEMPORAL_MS } from '../temporal.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await startTestSystem();
});
afterAll(async () => await system.stop());

/** The results of the runs so far, the latest first. */
async function results(): Promise<{ id: string; runId: string }[]> {
  const query = `TrKind = 'transferReconciliation' and ExecutionStatus = 'Completed'`;
  const found = [];
  for await (const run of system.client.workflow.list({ query })) found.push(run);
  return found
    .toSorted((a, b) => b.startTime.getTime() - a.startTime.getTime())
    .map((run) => ({ id: run.workflowId, runId: run.runId }));
}

/** Runs the schedule once; returns the result. */
async function runSchedule(): Promise<unknown> {
  await ensureSchedules(system.client, [], TEMPORAL_MS);
  const before = (await results()).length;
  const schedule = system.client.schedule.getHandle(workflowId('transferReconciliation'));
  // Its own run, half past the hour, would find what this one is to find.
  await schedule.pause();
  await schedule.trigger();
  const [latest] = await eventually(results, (ended) => ended.length > before);
  if (latest)
    await recordRun(system.client, latest.id, { type: 'transferReconciliation', name: 'announced' });
  return await system.client.workflow.getHandle(latest?.id ?? '', latest?.runId).result();
}

test('runs every hour, one run at a time, and announces what is newly missing once', async () => {
  const tenant = await createTenant(system, { webhookUrl: WEBHOOK_URL });
  await tenant.patch('/tenant/me/settings', { reconciliationWebhook: true });
  const { id } = await createTransaction(tenant, {
    direction: 'INCOMING',
    blockchainInfo: { blockchain: 'Ethereum', transactionHash: evmHash() },
  });
  await system.db.pool.query(
    `update transactions set created_at = created_at - interval '2 days' where id = $1`,
    [id],
  );
  // A claim that has reached nobody finds its VASP, which has become a tenant since.
  const vaspInfo = { originatorVaspName: 'Reconciled Later' };
  const { body: claim } = await tenant.post<{ id: string }>(`/transactions/${id}/claim`, { vaspInfo });
  await eventually(
    async () => (await tenant.get<{ status: string }>(`/claims/${claim.id}`)).body.status,
    (status) => status === 'FAILED',
  );
  await createTenant(system, { name: 'Reconciled Later' });
  expect(await runSchedule()).toEqual({ found: 1 });
  expect((await tenant.get('/reconciliation')).body).toMatchObject([
    { transactionId: id, nextAction: 'CLAIM' },
  ]);
  expect(await runSchedule()).toEqual({ found: 0 });
  const { body } = await tenant.get<WebhookDelivery[]>('/tenant/me/webhook-deliveries?_kind=reconciliation');
  expect(body).toHaveLength(1);
  const schedule = system.client.schedule.getHandle(workflowId('transferReconciliation'));
  const { spec, policies } = await schedule.describe();
  expect(spec.intervals).toEqual([{ every: 3_600_000, offset: 1_800_000 }]);
  expect(policies.overlap).toBe('SKIP');
});
