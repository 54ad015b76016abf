import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import { notFound } from '../../domain/errors.ts';
import type { ScreeningSettings } from '../../domain/screening/settings.ts';
import type { Database, Queryable } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';

/** Whose settings are asked for, and for which subject the false positives. */
interface Wanted {
  tenantId: string;
  subjectToken: bigint;
}

/** An entry that was called a false positive for the subject; `rowHash` is hex. */
interface SuppressedEntry {
  listCode: string;
  sourceId: string;
  rowHash: string;
}

/** What a screening needs to know of its tenant. */
export interface TenantCircumstances {
  settings: ScreeningSettings;
  suppressed: readonly SuppressedEntry[];
}

interface CircumstanceRow {
  settings: StoredSettings | null;
  suppressed: SuppressedEntry[] | null;
}

const READ = `
  select t.settings, (
    select json_agg(json_build_object(
      'listCode', s.list_code, 'sourceId', s.source_id, 'rowHash', encode(s.row_hash, 'hex')))
    from screening_suppressions s where s.tenant_id = w.tenant_id and s.subject_token = w.subject_token
  ) as suppressed
  from unnest($1::uuid[], $2::bigint[]) with ordinality as w(tenant_id, subject_token, place)
  left join tenants t on t.id = w.tenant_id order by w.place`;

/** Reads settings and false positives; requests that arrive together share one statement. Throws not_found. */
export function circumstancesReader({ pool }: Database): (wanted: Wanted) => Promise<TenantCircumstances> {
  const read = naturalBatch<Wanted, CircumstanceRow | undefined>({
    maxSize: 128,
    concurrency: 2,
    run: async (batch) => await readRows(pool, batch),
  });
  return async (wanted) => {
    const row = await read(wanted);
    if (!row?.settings) throw notFound('tenant');
    return { settings: settingsOf(row.settings).screening, suppressed: row.suppressed ?? [] };
  };
}

async function readRows(db: Queryable, batch: readonly Wanted[]): Promise<CircumstanceRow[]> {
  const { rows } = await db.query<CircumstanceRow>({
    name: 'read-circumstances',
    text: READ,
    values: [batch.map(({ tenantId }) => tenantId), batch.map(({ subjectToken }) => subjectToken)],
  });
  return rows;
}
