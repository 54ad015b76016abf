import { refuseDeletion } from '../../domain/entities/change-entity.ts';
import { DomainError } from '../../domain/errors.ts';
import type { OutboxEntry } from '../outbox.ts';
import { masterOf } from './change-entity.ts';
import { getEntity } from './get-entity.ts';
import type { Queryable } from '../postgres.ts';
import { lockNames } from '../routes/name-lock.ts';
import { foldedNames, wakeNamed } from './wake-named.ts';

/**
 * Deletes an entity that no transaction, brake or counterparty refers to, and routes messages again that wait for one of its
 * names: another entity may have it, too. Throws not_found, conflict.
 */
export async function deleteEntity(tx: Queryable, id: string, now: Date): Promise<OutboxEntry[]> {
  // Whoever refers to it at this moment keeps it, or finds it gone. Before the names, as everybody who changes an entity.
  await tx.query('select 1 from entities where id = $1 for update', [id]);
  const formerNames = await foldedNames(tx, [id]);
  const master = await masterOf(tx, id);
  // It is one of the duplicates of its master, which rules may name.
  const changed = master === null ? [id] : [id, master];
  await lockNames(tx, formerNames, changed);
  refuseDeletion(await getEntity(tx, id));
  if (await isReferredTo(tx, id)) {
    throw new DomainError(
      'conflict',
      'The entity stays: transactions, brakes or counterparties refer to it.',
    );
  }
  await tx.query('delete from entities where id = $1', [id]);
  return await wakeNamed(tx, { ids: changed, formerNames }, now);
}

/** Searches tenant by tenant, since the index of the transactions begins with the tenant. */
async function isReferredTo(tx: Queryable, id: string): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    `select exists (select from counterparties where entity_id = $1)
       or exists (select from counterparty_steps where entity_id = $1)
       or exists (select from brakes where counterparty_entity_id = $1)
       or exists (select from tenants t, lateral (
         select from transactions where tenant_id = t.id and counterparty_entity_id = $1 and deleted_at is null limit 1
       ) used) as found`,
    [id],
  );
  return rows[0]?.found ?? false;
}
