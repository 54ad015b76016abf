import type { EndpointStatus } from '../../domain/webhooks/endpoint-status.ts';
import type { DeliveryKind, DeliveryStatus } from '../../domain/webhooks/schema.ts';
import { webhooksHeldBack } from '../brakes/find-brake.ts';
import type { Database } from '../database.ts';
import { hostOf } from '../../domain/webhooks/endpoint-url.ts';
import { openPartnerSecret } from './partner-secret.ts';
import { openPreviousSecret, openWebhookSecret } from './webhook-secret.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { ResourceKind } from './insert-deliveries.ts';
import type { Queryable } from '../postgres.ts';

/** The progress of a delivery. */
export interface DeliveryProgress {
  status: DeliveryStatus;
  /** Attempts made so far, over all schedules. */
  attempts: number;
  /** Attempts made before the current schedule began: 0, or those before the latest redelivery. */
  scheduleFrom: number;
  lastError: string | null;
  /** The time of the next attempt; null when the delivery has ended. */
  wakeAt: Date | null;
}

/** A delivery with everything that its next attempt needs, read at one moment. */
export interface OutgoingDelivery extends DeliveryProgress {
  id: string;
  tenantId: string;
  /** The partner whose endpoint gets the webhook; null for that of the tenant. */
  partnerId: string | null;
  kind: DeliveryKind;
  /** Signed wrongly on purpose, and attempted once: a receiver tries its check with it. */
  isForged: boolean;
  resourceKind: ResourceKind;
  resourceId: string;
  resourceVersion: number;
  webhookUrl: string | null;
  webhookStatus: EndpointStatus | null;
  /** End of the lease, whose holder makes the next attempt; null without a lease. */
  leasedUntil: Date | null;
  /** The tenant is suspended: nothing is sent to it until it is resumed. */
  isSuspended: boolean;
  /** A brake is on: nothing is sent to the tenant until it ends. */
  isHeldBack: boolean;
  /** The record was deleted, or now hides data that the body shows. */
  isSuperseded: boolean;
  sealed: { webhookSecret: Buffer; body: Buffer; recordKey: Buffer | null };
  /** The encrypted secret before the latest rotation; null when it may not sign for the present URL. */
  previousSecret: { sealed: Buffer; until: Date } | null;
}

export interface OutgoingRow extends ProgressRow {
  id: string;
  tenant_id: string;
  partner_id: string | null;
  kind: DeliveryKind;
  is_forged: boolean;
  resource_kind: ResourceKind;
  resource_id: string;
  resource_version: number;
  body: Buffer;
  record_key: Buffer | null;
  webhook_url: string | null;
  webhook_status: EndpointStatus | null;
  webhook_secret: Buffer;
  webhook_secret_previous: Buffer | null;
  webhook_secret_previous_until: Date | null;
  webhook_secret_previous_host: string | null;
  leased_until: Date | null;
  is_suspended: boolean;
  is_held_back: boolean;
  is_superseded: boolean;
}

export interface ProgressRow {
  status: DeliveryStatus;
  attempts: number;
  schedule_from: number;
  last_error: string | null;
  wake_at: Date | null;
}

/** SQL: a delivery `d` with everything that its next attempt needs, its id being `$1`. */
export const OUTGOING_DELIVERY = `
  select d.id, d.tenant_id, d.partner_id, d.kind, d.is_forged, d.resource_id, d.resource_version, d.status, d.attempts, d.schedule_from,
    d.last_error, d.wake_at, d.leased_until, d.resource_kind, coalesce(d.body, '') as body,
    coalesce(r.record_key, v.record_key, c.record_key) as record_key,
    case when d.partner_id is null then t.webhook_url else p.webhook_url end as webhook_url,
    case when d.partner_id is null then t.webhook_status else p.webhook_status end as webhook_status,
    case when d.partner_id is null then t.webhook_secret else p.webhook_secret end as webhook_secret,
    case when d.partner_id is null then t.webhook_secret_previous end as webhook_secret_previous,
    t.webhook_secret_previous_until, t.webhook_secret_previous_host,
    d.partner_id is null and t.suspended_at is not null as is_suspended,
    d.partner_id is null and ${webhooksHeldBack('d.tenant_id')} as is_held_back,
    d.body is null or d.resource_kind = 'TRANSACTION'
        and (r.id is null or r.deleted_at is not null or (r.sealed and not d.masked))
      or d.resource_kind = 'VERIFICATION'
        and (v.id is null or (v.deleted_at is not null and not d.masked))
      or d.resource_kind = 'CLAIM' and c.id is null as is_superseded
  from webhook_deliveries d
  join tenants t on t.id = d.tenant_id
  left join partners p on p.id = d.partner_id
  left join transactions r
    on d.resource_kind = 'TRANSACTION' and r.id = d.resource_id and r.tenant_id = d.tenant_id
  left join verifications v
    on d.resource_kind = 'VERIFICATION' and v.id = d.resource_id and v.tenant_id = d.tenant_id
  left join claims c
    on d.resource_kind = 'CLAIM' and c.id = d.resource_id and c.tenant_id = d.tenant_id and c.erased_at is null
  where d.id = $1`;

/**
 * Reads a delivery by id alone, for workflows. URL and secret come from one version of the tenant's row, so that no
 * request to a new URL is signed with a secret that the receiver at the old URL knows.
 */
export async function findOutgoingDelivery(db: Queryable, id: string): Promise<OutgoingDelivery | undefined> {
  const { rows } = await db.query<OutgoingRow>({
    name: 'find-outgoing-delivery',
    text: OUTGOING_DELIVERY,
    values: [id],
  });
  return rows[0] && toOutgoing(rows[0]);
}

export function toOutgoing(row: OutgoingRow): OutgoingDelivery {
  return {
    ...toProgress(row),
    id: row.id,
    tenantId: row.tenant_id,
    partnerId: row.partner_id,
    kind: row.kind,
    isForged: row.is_forged,
    resourceKind: row.resource_kind,
    resourceId: row.resource_id,
    resourceVersion: row.resource_version,
    webhookUrl: row.webhook_url,
    webhookStatus: row.webhook_status,
    leasedUntil: row.leased_until,
    isSuspended: row.is_suspended,
    isHeldBack: row.is_held_back,
    isSuperseded: row.is_superseded,
    sealed: { webhookSecret: row.webhook_secret, body: row.body, recordKey: row.record_key },
    previousSecret: previousOf(row),
  };
}

function previousOf(row: OutgoingRow): OutgoingDelivery['previousSecret'] {
  const { webhook_secret_previous: sealed, webhook_secret_previous_until: until } = row;
  if (!sealed || !until || row.webhook_secret_previous_host !== hostOf(row.webhook_url)) return null;
  return { sealed, until };
}

export function toProgress(row: ProgressRow): DeliveryProgress {
  return {
    status: row.status,
    attempts: row.attempts,
    scheduleFrom: row.schedule_from,
    lastError: row.last_error,
    wakeAt: row.wake_at,
  };
}

/** The body of an attempt and the secrets that sign it. */
export interface OpenDelivery {
  body: Buffer;
  secret: string;
  /** Null unless its overlap period still runs. */
  previousSecret: string | null;
}

/** Decrypts the body, byte for byte as stored, and the secrets that sign it now. */
export async function openDelivery(
  db: Database,
  delivery: OutgoingDelivery,
  now: Date,
): Promise<OpenDelivery> {
  const { id, tenantId, resourceKind, resourceId, sealed, previousSecret } = delivery;
  const secret = await openOwnersSecret(db, delivery);
  const keys = await db.vault.tenantKeys(tenantId, [sealed.recordKey ?? sealed.body]);
  const record = { tenantId, id: resourceId };
  const sealer = sealed.recordKey
    ? keys.openRecordKey(sealed.recordKey, KEY_CONTEXTS[resourceKind](record))
    : keys;
  return {
    body: sealer.openBytes(sealingContext.transaction.webhook(record, id), sealed.body),
    secret,
    previousSecret:
      previousSecret && now < previousSecret.until
        ? await openPreviousSecret(db, tenantId, previousSecret.sealed)
        : null,
  };
}

/** Additional authenticated data of a record's key. A tenant has no such key: its own webhooks are sealed by its keys. */
const KEY_CONTEXTS: Record<ResourceKind, (record: { tenantId: string; id: string }) => string> = {
  TRANSACTION: sealingContext.transaction.key,
  VERIFICATION: sealingContext.verification.key,
  CLAIM: sealingContext.claim.key,
  TENANT: sealingContext.transaction.key,
};

/** The secret of whoever owns the endpoint: a partner's never signs for a tenant, nor the other way round. */
async function openOwnersSecret(db: Database, delivery: OutgoingDelivery): Promise<string> {
  const { tenantId, partnerId, sealed } = delivery;
  const owned = { id: partnerId ?? tenantId, webhook_secret: sealed.webhookSecret };
  return partnerId === null ? await openWebhookSecret(db, owned) : await openPartnerSecret(db, owned);
}

/** The tenant or partner whose endpoint gets the webhook. */
export function endpointOwner({
  tenantId,
  partnerId,
}: Pick<OutgoingDelivery, 'tenantId' | 'partnerId'>): string {
  return partnerId ?? tenantId;
}
