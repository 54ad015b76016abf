import type { TestApi } from '../api-client.ts';
import { lifecycleSteps } from './lifecycle-steps.ts';
import type { TestTenant } from './tenant.ts';

/** Lets a PENDING transaction end as `FAILED`, as its lifecycle does when its deadline has passed. */
export async function failTransaction(api: TestApi, tenant: TestTenant, id: string): Promise<void> {
  await tenant.post(`/sandbox/transactions/${id}/fire-timer`);
  const { status } = await lifecycleSteps(api)(tenant, { id });
  if (status !== 'FAILED') throw new Error(`the transaction is ${status}, not FAILED`);
}
