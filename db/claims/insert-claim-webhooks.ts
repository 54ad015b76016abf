import type { ClaimRecord } from '../../domain/claims/record.ts';
import { viewClaim, viewClaimWithoutPerson } from '../../domain/claims/view-claim.ts';
import type { Gateway } from '../../domain/gateways/gateway.ts';
import type { Database } from '../database.ts';
import { queueClaimUpdates } from '../mails/queue-claim-updates.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { insertDeliveries, type NewDelivery } from '../webhooks/insert-deliveries.ts';
import type { SealedClaim } from './row.ts';

/**
 * Stores the webhooks of changed claims and the outbox entries that start their delivery. That of a partner names no person: who
 * reads it there is not logged. A VASP on no network is told by a mail.
 */
export async function insertClaimWebhooks(
  db: Database,
  tx: Queryable,
  changed: readonly SealedClaim[],
  now: Date,
): Promise<OutboxEntry[]> {
  if (changed.length === 0) return [];
  const gateways = await gatewaysOf(
    tx,
    changed.map(({ record }) => record),
  );
  const gatewayOf = ({ tenantId }: ClaimRecord) => gateways.get(tenantId) ?? null;
  const deliveries = changed
    .filter(({ record }) => gatewayOf(record) === null || gatewayOf(record) === 'PARTNER')
    .map((claim) => deliveryOf(claim, gatewayOf(claim.record) === 'PARTNER'));
  const mailed = changed.map(({ record }) => record).filter((record) => isMailed(record, gatewayOf(record)));
  return [
    ...(await insertDeliveries(tx, deliveries, now)),
    ...(await queueClaimUpdates(db, tx, mailed, now)),
  ];
}

function deliveryOf({ record, key }: SealedClaim, isOfPartner: boolean): NewDelivery {
  return {
    kind: 'claim',
    tenantId: record.tenantId,
    resourceId: record.id,
    resourceVersion: record.version,
    masked: isOfPartner,
    key,
    body: isOfPartner ? viewClaimWithoutPerson(record) : viewClaim(record),
  };
}

/** What has just arrived was opened by its VASP, and its own answer is no news to it. */
function isMailed({ status, transactionId, version }: ClaimRecord, gateway: Gateway | null): boolean {
  const isOwnAnswer = status === 'DECLINED' || (status === 'ANSWERED' && transactionId !== null);
  return gateway === 'EMAIL' && version > 1 && !isOwnAnswer;
}

/** Of the claims of gateways, for which network these stand. */
async function gatewaysOf(
  tx: Queryable,
  records: readonly ClaimRecord[],
): Promise<ReadonlyMap<string, Gateway>> {
  const { rows } = await tx.query<{ id: string; gateway: Gateway }>({
    name: 'gateways-of-claims',
    text: 'select id, gateway from tenants where id = any($1::uuid[]) and gateway is not null',
    values: [records.map(({ tenantId }) => tenantId)],
  });
  return new Map(rows.map(({ id, gateway }) => [id, gateway]));
}
