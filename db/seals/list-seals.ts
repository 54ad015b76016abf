import type { EventSeal, SealList } from '../../domain/seals/seal.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import { sql, statementOf, whereGiven } from '../query-builder.ts';
import { toSeal, type SealRow } from './seal-row.ts';

/**
 * One page of a tenant's seals; `q` finds days by prefix. A row that this deployment has not signed is left out: it is no
 * seal, and `verify-events` reports it.
 */
export async function listSeals(
  db: Database,
  tenantId: string,
  list: SealList,
): Promise<ListPage<EventSeal>> {
  const { from, to } = list.filters;
  const matching = sql('event_seals').select('tenant_id', 'day').where('tenant_id', tenantId);
  whereGiven(matching, {
    'day >= ?::date': from,
    'day <= ?::date': to,
    'starts_with(day::text, ?)': list.q?.trim(),
  });
  const page = {
    matching: statementOf(matching),
    orderBy: `day ${list.order}`,
    rows: 'select jws, created_at from page join event_seals using (tenant_id, day)',
    range: list,
  };
  return await readPage(db.pool, page, (rows: SealRow[]) =>
    rows.filter(({ jws }) => db.vault.seals.open(jws) !== null).map((row) => toSeal(row, db.vault)),
  );
}
