import { noRequests } from '../fakes/no-requests.ts';
import { messageNetworks } from '../../activities/network/networks.ts';
import { TEST_MAILS } from './test-mails.ts';
import { transactionActivities } from '../../activities/transactions/transaction-activities.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import type { TestApi } from '../api-client.ts';
import { eventually } from '../eventually.ts';
import { releaseDeps } from './release-deps.ts';
import { readTransaction } from './transaction.ts';
import type { TestTenant } from './tenant.ts';

/** Does what the workflow of a transaction would do now, and returns the transaction. */
export type Advance = (of: TestTenant, transfer: { id: string }) => Promise<Transaction>;

/** `overrides` replace what the steps use, such as their clock. */
export function lifecycleSteps(api: TestApi, overrides: Parameters<typeof releaseDeps>[1] = {}): Advance {
  return async (of, { id }) => {
    const screening = releaseDeps(api, overrides);
    const networks = messageNetworks(screening, TEST_MAILS);
    const steps = transactionActivities({
      ...screening,
      networks,
      http: noRequests,
      priceOf: () => undefined,
      startedAt: new Date(),
    });
    // A list that has just become active is loaded shortly afterwards.
    await eventually(
      async () => await steps.advanceTransaction({ id }),
      ({ plan }) => plan.step === 'DONE' || (plan.step === 'WAIT' && plan.waitingFor !== 'SCREENING'),
    );
    return await readTransaction(of, id);
  };
}
