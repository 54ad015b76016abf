import { z } from 'zod';
import { listQuery, oneOrMore, Timestamp } from '../list-query.ts';

/** FAILED is retried, GAVE_UP is not. */
const DELIVERY_STATUSES = ['PENDING', 'DELIVERED', 'FAILED', 'GAVE_UP'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** The values of X-Event-Type. */
const DELIVERY_KINDS = [
  'transaction',
  'wallet-verification',
  'claim',
  'seal',
  'reconciliation',
  'test',
] as const;
export type DeliveryKind = (typeof DELIVERY_KINDS)[number];

/** Why a delivery ended without an attempt of its own. */
export type GiveUpReason = 'NO_ENDPOINT' | 'ENDPOINT_DISABLED' | 'SUPERSEDED';

interface AttemptRecord {
  attempt: number;
  startedAt: Date;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
}

/** A webhook delivery without its body. */
export interface DeliveryRecord {
  id: string;
  tenantId: string;
  kind: DeliveryKind;
  resourceId: string;
  resourceVersion: number;
  status: DeliveryStatus;
  attempts: number;
  lastError: string | null;
  nextAttemptAt: Date | null;
  createdAt: Date;
  finishedAt: Date | null;
  /** The latest hundred attempts in order. */
  attemptLog: AttemptRecord[];
}

/** The query of `GET /tenant/me/webhook-deliveries`. */
export const ListDeliveriesQuery = listQuery({
  sortable: ['createdAt', 'finishedAt', 'status'],
  filters: {
    _status: oneOrMore(z.enum(DELIVERY_STATUSES)),
    _kind: oneOrMore(z.enum(DELIVERY_KINDS)),
    _resourceId: z.uuid(),
    _from: Timestamp,
    _to: Timestamp,
  },
});
export type DeliveryList = z.output<typeof ListDeliveriesQuery>;

const RangeStatus = z.enum(['DELIVERED', 'FAILED', 'GAVE_UP']).meta({ id: 'EndedDeliveryStatus' });

/** A range of deliveries to send again, by time of creation. */
export const RedeliverRangeBody = z
  .strictObject({
    from: Timestamp,
    to: Timestamp,
    status: z
      .union([RangeStatus, z.array(RangeStatus).min(1).max(RangeStatus.options.length)])
      .default(['FAILED', 'GAVE_UP'])
      .transform((given) => [given].flat())
      .describe('One or several; FAILED and GAVE_UP if absent.'),
  })
  .check(({ value: { from, to }, issues }) => {
    if (from <= to || issues.length > 0) return;
    const message = '`to` lies before `from`.';
    issues.push({ code: 'custom', input: undefined, path: ['to'], message, params: { code: 'before_from' } });
  })
  .meta({ id: 'RedeliverRange' });
export type RedeliverRangeBody = z.output<typeof RedeliverRangeBody>;

export const RedeliveredRange = z
  .strictObject({
    count: z.int().describe('Deliveries that are due again.'),
    nextFrom: z.iso.datetime().nullable().describe('`from` of the next call; null when the range is done.'),
  })
  .meta({ id: 'RedeliveredRange' });
export type RedeliveredRange = z.infer<typeof RedeliveredRange>;

/** Which webhooks of a record are sent again. */
export const ResendWebhooksBody = z
  .strictObject({
    status: z
      .union([RangeStatus, z.array(RangeStatus).min(1).max(RangeStatus.options.length)])
      .default(RangeStatus.options)
      .transform((given) => [given].flat())
      .describe('One or several; all three if absent.'),
  })
  .meta({ id: 'ResendWebhooks' });
export type ResendWebhooksBody = z.output<typeof ResendWebhooksBody>;

export const ResentWebhooks = z
  .strictObject({
    count: z.int().describe('Webhooks that are due now.'),
    eventIds: z.array(z.uuid()).describe('Their X-Event-Ids, the oldest first.'),
  })
  .meta({ id: 'ResentWebhooks' });
export type ResentWebhooks = z.infer<typeof ResentWebhooks>;

/** The body of a test webhook. */
export const TestWebhook = z
  .strictObject({
    id: z.uuid().describe('As in X-Event-Id.'),
    type: z.literal('test'),
    createdAt: z.iso.datetime(),
    message: z.string(),
  })
  .meta({ id: 'TestWebhook' });
export type TestWebhook = z.infer<typeof TestWebhook>;

const Attempt = z.strictObject({
  attempt: z.int().describe('As in X-Delivery-Attempt.'),
  startedAt: z.iso.datetime(),
  statusCode: z.int().nullable().describe('Null when no answer came.'),
  durationMs: z.int(),
  error: z.string().nullable().describe('A code such as TIMEOUT or HTTP_STATUS; null after a success.'),
});

/** A delivery in responses. */
export const WebhookDelivery = z
  .strictObject({
    id: z.uuid().describe('As in X-Event-Id: the same for every attempt.'),
    eventType: z.enum(DELIVERY_KINDS),
    resourceId: z
      .uuid()
      .describe('The record that changed; the tenant for a seal, a reconciliation and a test.'),
    resourceVersion: z.int(),
    status: z.enum(DELIVERY_STATUSES).describe('FAILED is retried, GAVE_UP is not.'),
    attempts: z.int(),
    lastError: z
      .string()
      .nullable()
      .describe(
        'The code of the latest attempt, or NO_ENDPOINT, ENDPOINT_DISABLED, or SUPERSEDED when the record was ' +
          'deleted or its personal data hidden in the meantime.',
      ),
    nextAttemptAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    finishedAt: z.iso.datetime().nullable(),
    attemptLog: z.array(Attempt).describe('The latest 100 attempts in order.'),
  })
  .meta({ id: 'WebhookDelivery' });
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

export function viewDelivery(delivery: DeliveryRecord): WebhookDelivery {
  return {
    id: delivery.id,
    eventType: delivery.kind,
    resourceId: delivery.resourceId,
    resourceVersion: delivery.resourceVersion,
    status: delivery.status,
    attempts: delivery.attempts,
    lastError: delivery.lastError,
    nextAttemptAt: delivery.nextAttemptAt?.toISOString() ?? null,
    createdAt: delivery.createdAt.toISOString(),
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
    attemptLog: delivery.attemptLog.map(({ startedAt, ...rest }) => ({
      ...rest,
      startedAt: startedAt.toISOString(),
    })),
  };
}
