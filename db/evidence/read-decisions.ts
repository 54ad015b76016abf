import { viewVersion, type RuleVersion } from '../../domain/rules/configuration.ts';
import { viewDecision, type RuleDecision } from '../../domain/rules/decision-record.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { toDecision, type DecisionRow } from '../rules/decision-row.ts';
import { getVersion } from '../rules/versions.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { inBatches } from './in-batches.ts';

/** A decision has the trace of every rule with it. */
const BATCH = 10;

/** All decisions of the rules on a transaction with their traces, oldest first; none while its data is hidden. */
export async function* readDecisions(
  { pool, vault }: Database,
  { record, wrappedKey }: OpenTransaction,
): AsyncGenerator<RuleDecision> {
  if (record.sealed) return;
  const { tenantId } = record;
  type Row = Omit<DecisionRow, 'record_key'>;
  const rows = inBatches<Row>(BATCH, async (last, size) => {
    const { rows: batch } = await pool.query<Row>(
      `select id, tenant_id, transaction_id, sequence, direction, configuration_id, version, wait_until, spent, facts,
         trace, created_at
       from rule_decisions where tenant_id = $1 and transaction_id = $2 and sequence > $3 order by sequence limit $4`,
      [tenantId, record.id, last?.sequence ?? 0, size],
    );
    return batch;
  });
  const keys = await vault.tenantKeys(tenantId, [wrappedKey]);
  for await (const row of rows) yield viewDecision(toDecision({ ...row, record_key: wrappedKey }, keys));
}

/** The published versions of the rules that decided on a transaction; version 0 is that of before the first one. */
export async function* readDecidingRules(
  db: Database,
  { record }: OpenTransaction,
): AsyncGenerator<RuleVersion & { configurationId: string }> {
  if (record.sealed) return;
  for (const { configuration_id: configurationId, version } of await versionsOf(db.pool, record)) {
    const ref = { tenantId: record.tenantId, configurationId };
    yield { configurationId, ...viewVersion(await getVersion(db, ref, version)) };
  }
}

async function versionsOf(
  db: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<{ configuration_id: string; version: number }[]> {
  const { rows } = await db.query<{ configuration_id: string; version: number }>(
    `select distinct configuration_id, version from rule_decisions
     where tenant_id = $1 and transaction_id = $2 and version > 0 order by configuration_id, version`,
    [tenantId, id],
  );
  return rows;
}
