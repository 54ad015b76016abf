import { addMs, MINUTE_MS } from '../../domain/durations.ts';
import {
  GRACE_HOURS,
  MAX_ANNOUNCED,
  type GapKind,
  type ReconciliationReport,
} from '../../domain/reconciliation/gap.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { insertDeliveries } from '../webhooks/insert-deliveries.ts';
import { GAP_SOURCES, gapsFrom, type GapSource } from './gap-sources.ts';

/** Changes that were under way at the last look are seen by the next. */
const OVERLAP_MS = 10 * MINUTE_MS;

/** The tenants after `after`, in the order of their ids. */
export async function tenantsToReconcile(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `select id from tenants where test_behaviour is null and gateway is null and erased_at is null and ($1::uuid is null or id > $1) order by id limit $2`,
    [after, limit],
  );
  return rows.map(({ id }) => id);
}

/**
 * Finds the tenant's transactions that lack something since the last look, and announces each once. Reads those that have changed
 * or become old enough since then, not what was found before.
 */
export async function findNewGaps(
  db: Database,
  tenantId: string,
  now: Date,
): Promise<{ found: number; outbox: OutboxEntry[] }> {
  const key = await db.vault.tenantKeys(tenantId);
  return await inTransaction(db.pool, async (tx) => {
    const { rows } = await tx.query<{ settings: StoredSettings; reconciled_at: Date | null }>(
      'select settings, reconciled_at from tenants where id = $1 for no key update',
      [tenantId],
    );
    const [tenant] = rows;
    if (!tenant) return { found: 0, outbox: [] };
    const found = await insertFindings(tx, tenantId, tenant.reconciled_at, now);
    await tx.query('update tenants set reconciled_at = $2 where id = $1', [tenantId, now]);
    const count = found.reduce((sum, gaps) => sum + gaps.count, 0);
    if (count === 0 || !settingsOf(tenant.settings).reconciliationWebhook)
      return { found: count, outbox: [] };
    const body: ReconciliationReport = { asOf: now.toISOString(), found };
    const delivery = {
      kind: 'reconciliation' as const,
      tenantId,
      resourceId: tenantId,
      // A later report has a greater one.
      resourceVersion: Math.floor(now.getTime() / MINUTE_MS),
      masked: false,
      key,
      body,
    };
    return { found: count, outbox: await insertDeliveries(tx, [delivery], now) };
  });
}

async function insertFindings(
  tx: Queryable,
  tenantId: string,
  lastLook: Date | null,
  now: Date,
): Promise<ReconciliationReport['found']> {
  const since = lastLook && addMs(lastLook, -OVERLAP_MS);
  const { rows } = await tx.query<{ kind: GapKind; count: number; ids: string[] }>(
    newGapsSql(since !== null),
    since ? [tenantId, now, since] : [tenantId, now],
  );
  return rows.map(({ kind, count, ids }) => ({ kind, count, transactionIds: ids }));
}

/** SQL: stores new findings of the tenant `$1` at `$2`. With a time `$3` of the last look it reads what is newer than that. */
export function newGapsSql(hasLooked: boolean): string {
  const candidates = GAP_SOURCES.flatMap((source) => (hasLooked ? newerSql(source) : [candidateSql(source)]));
  return `
    with found as (
      insert into reconciliation_findings (transaction_id, kind, tenant_id, found_at)
      select distinct id, kind, $1::uuid, $2::timestamptz from (${candidates.join(' union all ')}) candidates
      on conflict do nothing
      returning transaction_id, kind
    )
    select kind, count(*)::int as count,
      (array_agg(transaction_id order by transaction_id))[1:${MAX_ANNOUNCED}]::text[] as ids
    from found group by kind order by kind`;
}

/** Those that have changed, and those whose time has run out. */
function newerSql(source: GapSource): string[] {
  const grace = `interval '${GRACE_HOURS[source.kind]} hours'`;
  return [
    `${candidateSql(source)} and t.updated_at >= $3::timestamptz`,
    `${candidateSql(source)} and t.created_at >= $3::timestamptz - ${grace}`,
  ];
}

function candidateSql(source: GapSource): string {
  return `select t.id, '${source.kind}' as kind from ${gapsFrom(source)}`;
}
