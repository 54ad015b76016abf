import type { BacktestRecord } from '../../domain/rules/backtest.ts';
import { DomainError } from '../../domain/errors.ts';
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
  const { rowCount } = await tx.query(
    `insert into rule_backtests (id, tenant_id, configuration_id, status, source, version, revision, content,
       content_hash, from_at, to_at, wake_at, created_at)
     values ($1, $2, $3, 'RUNNING', $4, $5, $6, $7, $8, $9, $10, $11, $11)
     on conflict (tenant_id) where wake_at is not null do nothing`,
    [
      record.id,
      tenantId,
      record.configurationId,
      record.source,
      record.version,
      record.revision,
      keys.seal(sealingContext.backtest.content(tenantId, record.id), record.ruleSet),
      record.contentHash,
      record.from,
      record.to,
      record.createdAt,
    ],
  );
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
