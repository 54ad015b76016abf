import type { Poke } from '../outbox.ts';

interface UnfinishedRows {
  table: 'transactions' | 'webhook_deliveries';
  workflow: Poke['workflow'];
  /** SQL over the row `r`: the line that operators read, without personal data. */
  summary: string;
}

/** Every kind of row that a workflow works for as long as its wake_at, the next moment that matters to it, is set. */
export const UNFINISHED_ROWS = {
  transaction: {
    table: 'transactions',
    workflow: 'transactionLifecycle',
    summary: `'Outgoing ' || r.asset`,
  },
  webhook_delivery: {
    table: 'webhook_deliveries',
    workflow: 'webhookDelivery',
    summary: `'Webhook ' || r.kind`,
  },
} as const satisfies Record<string, UnfinishedRows>;

export type UnfinishedKind = keyof typeof UNFINISHED_ROWS;
export const UNFINISHED_KINDS = Object.keys(UNFINISHED_ROWS) as UnfinishedKind[];

/** SQL over the row `r`: its workflow should have moved it a minute ago, so it is lost or far behind. */
export const IS_OVERDUE = `r.wake_at < now() - interval '1 minute'`;
