import type { BacktestRecord } from '../../domain/rules/backtest.ts';
import { DomainError } from '../../domain/errors.ts';
import { insertRow } from '../columns.ts';
import type { Queryable } from '../postgres.ts';
import { type OutboxEntry, insertOutboxEntries } from '../outbox.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';

/** Number of back-tests kept per configuration, the newest; each has up to 100 traces. */
const KEPT = 50;

/**
 * Stores a running back-test and deletes the oldest beyond the limit. Throws conflict while another back-test of the
 * tenant runs.
 */
export async function insertBacktest(
  tx: Queryable,
  tenantId: string,
  record: BacktestRecord,
  keys: TenantKeys,
): Promise<OutboxEntry[]> {
  const row = {
    id: record.id,
    tenant_id: tenantId,
    configuration_id: record.configurationId,
    status: 'RUNNING',
    source: record.source,
    version: record.version,
    revision: record.revision,
    content: keys.seal(sealingContext.backtest.content(tenantId, record.id), record.ruleSet),
    content_hash: record.contentHash,
    from_at: record.from,
    to_at: record.to,
    wake_at: record.createdAt,
    created_at: record.createdAt,
  };
  const ending = 'on conflict (tenant_id) where wake_at is not null do nothing';
  const { rowCount } = await tx.query(insertRow('rule_backtests', row, ending));
  if (rowCount === 0) {
    throw new DomainError('conflict', 'Another back-test of yours is running: wait for it, or cancel it.');
  }
  await tx.query(
    `delete from rule_backtests where tenant_id = $1 and id in (
       select id from rule_backtests where configuration_id = $2 order by created_at desc, id desc offset ${KEPT})`,
    [tenantId, record.configurationId],
  );
  const entry = {
    tenantId,
    workflow: 'ruleBacktest',
    subjectId: record.id,
    summary: 'Back-test of rules',
  } as const;
  return await insertOutboxEntries(tx, [entry], record.createdAt);
}
