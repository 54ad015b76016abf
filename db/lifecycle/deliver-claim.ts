import { deliveredClaim } from '../../domain/claims/deliver-claim.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import type { ChangedClaim } from '../claims/change-claim.ts';
import { lockClaim } from '../claims/find-claim.ts';
import { newClaimWrite } from '../claims/new-claim-write.ts';
import { writeClaims } from '../claims/write-changes.ts';
import { ReceiverSuspended } from './plan-arrival.ts';

interface ClaimDelivery {
  tenantId: string;
  id: string;
  askedTenantId: string;
  now: Date;
}

/** The claim as it is now, and the id of the asked tenant's record. */
interface DeliveredClaim extends ChangedClaim {
  incomingId: string;
}

/**
 * Delivers a claim to another tenant of this deployment: both records with their logs and webhooks in one transaction. A
 * second call changes nothing. Null when the claim no longer waits for delivery. Throws ReceiverSuspended.
 */
export async function deliverClaimNative(
  db: Database,
  { tenantId, id, askedTenantId, now }: ClaimDelivery,
): Promise<DeliveredClaim | null> {
  return await inTransaction(db.pool, async (tx) => {
    const { own } = await lockClaim(db, tx, tenantId, id);
    if (own.record.status !== 'PENDING' || own.record.deadlineAt <= now) return null;
    const asked = await readAsked(tx, askedTenantId);
    if (asked.suspended) throw new ReceiverSuspended();
    const incomingId = newId(now);
    const { delivered, received } = deliveredClaim(own.record, { incomingId, asked, now });
    const writes = [{ open: own, change: delivered, isNew: false }, await newClaimWrite(db, received)];
    const { records, outbox } = await writeClaims(db, tx, writes, now);
    return { record: records[0] ?? own.record, incomingId, outbox };
  });
}

interface AskedRow {
  tenantId: string;
  name: string;
  entityId: string;
  suspended: boolean;
}

async function readAsked(tx: Queryable, tenantId: string): Promise<AskedRow> {
  const { rows } = await tx.query<{ name: string; entity_id: string; suspended: boolean }>({
    name: 'tenant-asked-by-claim',
    text: 'select name, entity_id, suspended_at is not null as suspended from tenants where id = $1',
    values: [tenantId],
  });
  const row = rows[0];
  if (!row) throw new Error('the asked tenant is missing');
  return { tenantId, name: row.name, entityId: row.entity_id, suspended: row.suspended };
}
