import { sameEntities } from '../routes/same-entity.ts';
import type { Queryable } from '../postgres.ts';

/** The way of a message, as both sides name it. */
export interface MessageWay {
  senderTenantId: string;
  /** The receiver as the sender's record names it. */
  receiverEntityId: string | null;
  /** Null for a receiver outside of this deployment. */
  receiverTenantId: string | null;
  /** The sender as the receiver's record names it. */
  senderEntityId: string | null;
}

/**
 * SQL: a brake for all counterparties, or for the entity of the parameter. Duplicates are one entity, whichever of them the
 * brake names: merging two must not end it. They are read once, and not for each brake.
 */
const holdsFor = (entityId: string) =>
  `(counterparty_entity_id is null or counterparty_entity_id = any(${sameEntities(`${entityId}::uuid`)}))`;

const ON_WAY = `
  select id from brakes where released_at is null and (
    tenant_id = $1 and kind = 'OUTGOING' and ${holdsFor('$3')}
    or tenant_id = $2 and kind = 'INCOMING' and ${holdsFor('$4')}
  ) order by set_at, id limit 1`;

/** The brake that holds a message back, on either side; undefined where it may pass. */
export async function findBrakeOnWay(
  db: Queryable,
  { senderTenantId, receiverTenantId, receiverEntityId, senderEntityId }: MessageWay,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-brake-on-way',
    text: ON_WAY,
    values: [senderTenantId, receiverTenantId, receiverEntityId, senderEntityId],
  });
  return rows[0]?.id;
}

/** The entities of two tenants, as each side's record of a message names the other; null for one without an entity. */
export async function entitiesOnWay(
  db: Queryable,
  { senderTenantId, receiverTenantId }: Pick<MessageWay, 'senderTenantId' | 'receiverTenantId'>,
): Promise<Pick<MessageWay, 'senderEntityId' | 'receiverEntityId'>> {
  const { rows } = await db.query<{ id: string; entity_id: string | null }>({
    name: 'entities-on-way',
    text: 'select id, entity_id from tenants where id = any($1::uuid[])',
    values: [[senderTenantId, receiverTenantId]],
  });
  const entityOf = (tenantId: string | null) => rows.find(({ id }) => id === tenantId)?.entity_id ?? null;
  return { senderEntityId: entityOf(senderTenantId), receiverEntityId: entityOf(receiverTenantId) };
}

/** The brake on everything that the tenant sends; undefined without one. */
export async function findBrakeOnOutgoing(db: Queryable, tenantId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string | null }>({
    name: 'find-brake-on-outgoing',
    text: `select ${outgoingBrake('$1')} as id`,
    values: [tenantId],
  });
  return rows[0]?.id ?? undefined;
}

/** SQL: the id of the brake on everything that a tenant sends, or null. */
export const outgoingBrake = (tenantId: string) => `(select b.id from brakes b
  where b.tenant_id = ${tenantId} and b.kind = 'OUTGOING' and b.counterparty_entity_id is null and b.released_at is null)`;

/** SQL: whether the webhooks of a tenant are held back. */
export const webhooksHeldBack = (tenantId: string) => `exists (select from brakes b
  where b.tenant_id = ${tenantId} and b.kind = 'WEBHOOKS' and b.released_at is null)`;

/** Keeps a brake as it is until the end of the transaction. Whether it is on. */
export async function keepBrakeOn(tx: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'keep-brake-on',
    text: 'select 1 from brakes where id = $1 and released_at is null for share',
    values: [id],
  });
  return rowCount === 1;
}

/** Whether nothing waits for a brake any more, for the workflow of what waits; false while its release is under way. */
export async function isBrakeOver(db: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-brake-over',
    text: 'select 1 from brakes where id = $1 and finished_at is null',
    values: [id],
  });
  return rowCount === 0;
}
