import { TemporalFailure, isCancellation } from '@temporalio/workflow';
import type { CausedWebhook, FirstAttempt } from '../activities/webhooks/attempt-first.ts';
import { webhooks as activities } from './activity-proxies.ts';
import { workflowId } from './contract.ts';

/**
 * Makes the first attempts of webhooks that the workflow has caused, all at once, and tells what became of them. Returns
 * after about a second at the latest.
 */
export async function attemptFirst(webhooks: readonly CausedWebhook[]): Promise<string[]> {
  return await Promise.all(
    webhooks.map(async (webhook) => {
      const own = workflowId('webhookDelivery', webhook.id);
      const about = webhook.resourceId === undefined ? '' : ` about ${webhook.resourceId}`;
      return `webhook ${webhook.id}${about}: ${RESULTS[await attempt(webhook)].replace('%', own)}`;
    }),
  );
}

/**
 * The outbox starts the delivery's own workflow where the attempt fails without a result. A local activity may fail with its
 * own error instead of an ActivityFailure around it.
 */
async function attempt(webhook: CausedWebhook): Promise<FirstAttempt> {
  try {
    return await activities.attemptFirst(webhook);
  } catch (error) {
    if (error instanceof TemporalFailure && !isCancellation(error)) return 'NOT_ATTEMPTED';
    throw error;
  }
}

const RESULTS: Record<FirstAttempt, string> = {
  DELIVERED: 'delivered at the first attempt',
  FAILED: 'the first attempt failed, `%` continues',
  HANDED_OVER: 'the first attempt takes longer than a second, `%` waits for it',
  NOT_ATTEMPTED: 'left to `%`',
};
