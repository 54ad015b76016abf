import type { CounterpartyRecord } from '../../domain/entities/counterparty.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { counterpartySql, toCounterparties, type CounterpartyRow } from './counterparty-row.ts';

interface CounterpartySubject {
  tenantId: string;
  entityId: string;
  now: Date;
}

/** Reads a tenant's view of an entity; for a duplicate, that of its master. Throws not_found. */
export async function getCounterparty(
  db: Database,
  subject: CounterpartySubject,
): Promise<CounterpartyRecord> {
  const { tenantId, entityId, now } = subject;
  const { rows } = await db.pool.query<CounterpartyRow>(
    `${counterpartySql({ tenantId: '$1', now: '$2' })}
     where e.id = (select coalesce(master_entity_id, id) from entities where id = $3)`,
    [tenantId, now, entityId],
  );
  const [counterparty] = await toCounterparties(db, tenantId, rows);
  if (!counterparty) throw notFound('entity');
  return counterparty;
}
