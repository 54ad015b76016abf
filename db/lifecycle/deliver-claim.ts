import { deliveredClaim, type AskedVasp } from '../../domain/claims/deliver-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { messageSourceOf, type Gateway } from '../../domain/gateways/gateway.ts';
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
  /** The tenant that is asked, or the gateway that stands for a VASP outside. */
  askedTenantId: string;
  /** The VASP for which a gateway gets the claim. */
  outside?: AskedOutside;
  now: Date;
}

/** A VASP outside that is asked. */
export interface AskedOutside extends NonNullable<AskedVasp['outside']> {
  entityId: string | null;
  skipped: readonly string[];
}

/** The claim as it is now, and the id of the asked tenant's record. */
interface DeliveredClaim extends ChangedClaim {
  incomingId: string;
}

/**
 * Delivers a claim to another tenant of this deployment, or to the gateway that stands for a VASP outside: both records with
 * their logs and webhooks in one transaction. A second call changes nothing. Null when the claim no longer waits for delivery.
 * Throws ReceiverSuspended.
 */
export async function deliverClaim(db: Database, delivery: ClaimDelivery): Promise<DeliveredClaim | null> {
  await db.vault.tenantKeys(delivery.askedTenantId);
  return await inTransaction(db.pool, async (tx) => await deliverClaimIn(db, tx, delivery));
}

/** Like deliverClaim, inside a database transaction. */
export async function deliverClaimIn(
  db: Database,
  tx: Queryable,
  { tenantId, id, askedTenantId, outside, now }: ClaimDelivery,
): Promise<DeliveredClaim | null> {
  const { own } = await lockClaim(db, tx, tenantId, id);
  if (own.record.status !== 'PENDING' || own.record.deadlineAt <= now) return null;
  const row = await readAsked(tx, askedTenantId);
  if (row.suspended) throw new ReceiverSuspended();
  const asked = askedVasp(row, own.record, outside);
  const incomingId = newId(now);
  const { delivered, received } = deliveredClaim(own.record, { incomingId, asked, now });
  const writes = [{ open: own, change: delivered, isNew: false }, await newClaimWrite(db, received)];
  const { records, outbox } = await writeClaims(db, tx, writes, now);
  return { record: records[0] ?? own.record, incomingId, outbox };
}

interface AskedRow {
  id: string;
  name: string;
  gateway: Gateway | null;
  /** Null for a gateway. */
  entity_id: string | null;
  suspended: boolean;
}

async function readAsked(tx: Queryable, tenantId: string): Promise<AskedRow> {
  const { rows } = await tx.query<AskedRow>({
    name: 'tenant-asked-by-claim',
    text: `select id, name, gateway, entity_id, suspended_at is not null as suspended from tenants where id = $1`,
    values: [tenantId],
  });
  const row = rows[0];
  if (!row) throw new Error('the asked tenant is missing');
  return row;
}

function askedVasp(row: AskedRow, claim: ClaimRecord, outside: AskedOutside | undefined): AskedVasp {
  const source = messageSourceOf(row);
  if (!outside) return { tenantId: row.id, name: row.name, entityId: row.entity_id, source, skipped: [] };
  const { originatorVaspName: name } = claim.personal;
  return { tenantId: row.id, name, source, entityId: outside.entityId, skipped: outside.skipped, outside };
}
