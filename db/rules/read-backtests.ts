import { notFound } from '../../domain/errors.ts';
import type { BacktestRecord, ChangedDecision } from '../../domain/rules/backtest.ts';
import type { BacktestList } from '../../domain/rules/requests.ts';
import type { RuleVerdict, RuleTrace } from '../../domain/rules/schema.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf } from '../query-builder.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { sealingContext } from '../vault/contexts.ts';
import { BACKTEST_COLUMNS, toBacktest, type BacktestRow } from './backtest-row.ts';
import { requireConfiguration, type ConfigurationRef } from './require-configuration.ts';

/** Reads a back-test of this configuration, from the pool unless a transaction is given. Throws not_found, also for a back-test of another tenant. */
export async function getBacktest(
  db: Database,
  { tenantId, configurationId }: ConfigurationRef,
  id: string,
  from: Queryable = db.pool,
): Promise<BacktestRecord> {
  const { rows } = await from.query<BacktestRow>(
    `select ${BACKTEST_COLUMNS} from rule_backtests
     where tenant_id = $1 and configuration_id = $2 and id = $3`,
    [tenantId, configurationId, id],
  );
  if (!rows[0]) throw notFound('back-test');
  return toBacktest(rows[0], await keysFor(db, tenantId, rows));
}

/** One page of a configuration's back-tests. Throws not_found. */
export async function listBacktests(
  db: Database,
  configuration: ConfigurationRef,
  list: BacktestList,
): Promise<ListPage<BacktestRecord>> {
  await requireConfiguration(db.pool, configuration);
  const page = {
    matching: statementOf(matchingBacktests(configuration, list)),
    orderBy: `created_at ${list.order}, id ${list.order}`,
    rows: `select ${BACKTEST_COLUMNS} from page join rule_backtests using (id)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: BacktestRow[]) => {
    const keys = await keysFor(db, configuration.tenantId, rows);
    return rows.map((row) => toBacktest(row, keys));
  });
}

/** `q` finds the beginning of an id, or a status. */
function matchingBacktests({ tenantId, configurationId }: ConfigurationRef, { q }: BacktestList) {
  const matching = sql('rule_backtests')
    .select('id')
    .where({ tenant_id: tenantId, configuration_id: configurationId });
  if (q === undefined) return matching;
  const text = q.trim();
  return matching.whereRaw('(starts_with(id::text, lower(?)) or status = upper(?))', [text, text]);
}

async function keysFor(db: Database, tenantId: string, rows: BacktestRow[]): Promise<TenantKeys> {
  return await db.vault.tenantKeys(
    tenantId,
    rows.map(({ content }) => content),
  );
}

interface ChangeRow {
  transaction_id: string;
  decision_id: string;
  decision: RuleVerdict;
  decided_by: string;
  before_decision: RuleVerdict;
  before_decided_by: string;
  trace: Buffer;
  record_key: Buffer;
}

/** The changed decisions of a back-test whose transactions the tenant still has and may see. */
export async function listChangedDecisions(
  db: Database,
  tenantId: string,
  backtestId: string,
): Promise<ChangedDecision[]> {
  const { rows } = await db.pool.query<ChangeRow>(
    `select c.transaction_id, c.decision_id, c.decision, c.decided_by, d.decision as before_decision,
       d.decided_by as before_decided_by, c.trace, t.record_key
     from rule_backtest_changes c join rule_decisions d on d.id = c.decision_id
     join transactions t on t.id = c.transaction_id and t.deleted_at is null and not t.sealed
     where c.backtest_id = $1 and c.tenant_id = $2 order by c.place`,
    [backtestId, tenantId],
  );
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.map((row) => row.record_key),
  );
  return rows.map((row) => ({
    transactionId: row.transaction_id,
    decisionId: row.decision_id,
    before: { decision: row.before_decision, decidedBy: row.before_decided_by },
    after: { decision: row.decision, decidedBy: row.decided_by },
    rules: openTrace(row, keys, tenantId, backtestId),
  }));
}

function openTrace(row: ChangeRow, keys: TenantKeys, tenantId: string, backtestId: string): RuleTrace[] {
  const { transaction_id: id } = row;
  const key = keys.openRecordKey(row.record_key, sealingContext.transaction.key({ tenantId, id }));
  return key.open<RuleTrace[]>(sealingContext.backtest.change(tenantId, id, backtestId), row.trace);
}
