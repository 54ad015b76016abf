import { notFound } from '../../domain/errors.ts';
import type { DecisionRecord } from '../../domain/rules/decision-record.ts';
import type { Database } from '../database.ts';
import { hasTransaction } from '../transactions/find-transaction.ts';
import { toDecision, type DecisionRow } from './decision-row.ts';

const READ = `
  select d.id, d.tenant_id, d.transaction_id, d.sequence, d.direction, d.configuration_id, d.version, d.wait_until,
    d.spent, d.facts, d.trace, d.created_at, t.record_key
  from transactions t join rule_decisions d on d.transaction_id = t.id
  where t.tenant_id = $1 and t.id = $2 and t.deleted_at is null and not t.sealed`;

/**
 * What a tenant's rules have decided of a transaction, the last decision first; nothing of one whose data is hidden.
 * Throws not_found.
 */
export async function listDecisions(
  db: Database,
  tenantId: string,
  transactionId: string,
): Promise<DecisionRecord[]> {
  const sql = `${READ} order by d.sequence desc limit ${DECISIONS_SHOWN}`;
  const decisions = await read(db, tenantId, sql, [transactionId]);
  if (decisions.length === 0 && !(await hasTransaction(db.pool, tenantId, transactionId))) {
    throw notFound('transaction');
  }
  return decisions;
}

/** A transaction is decided a few times; one whose facts keep changing is no reason for an answer without end. */
const DECISIONS_SHOWN = 100;

interface DecisionQuery {
  configurationId: string;
  transactionId: string;
  /** The last one when it is undefined. */
  sequence: number | undefined;
}

/** One decision that was made by this configuration. Throws not_found. */
export async function getDecision(
  db: Database,
  tenantId: string,
  query: DecisionQuery,
): Promise<DecisionRecord> {
  const { transactionId, configurationId, sequence = null } = query;
  const sql = `${READ} and d.configuration_id = $3 and ($4::bigint is null or d.sequence = $4)
    order by d.sequence desc limit 1`;
  const [found] = await read(db, tenantId, sql, [transactionId, configurationId, sequence]);
  if (!found) throw notFound('decision');
  return found;
}

/** The last decision on a transaction; undefined if there is none, or its data is hidden. */
export async function findLastDecision(
  db: Database,
  { tenantId, id }: { tenantId: string; id: string },
): Promise<DecisionRecord | undefined> {
  const [last] = await read(db, tenantId, `${READ} order by d.sequence desc limit 1`, [id]);
  return last;
}

async function read(
  db: Database,
  tenantId: string,
  sql: string,
  values: unknown[],
): Promise<DecisionRecord[]> {
  const { rows } = await db.pool.query<DecisionRow>(sql, [tenantId, ...values]);
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.map((row) => row.record_key),
  );
  return rows.map((row) => toDecision(row, keys));
}
