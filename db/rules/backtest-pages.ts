import type { BacktestTally } from '../../domain/rules/backtest.ts';
import type { Facts } from '../../domain/rules/facts.ts';
import type { RuleVerdict, RuleEvaluation, RuleSet } from '../../domain/rules/schema.ts';
import { type Database } from '../database.ts';
import { insertSql, unnestValues, type Column } from '../columns.ts';
import type { RecordKey } from '../vault/record-key.ts';
import { sealingContext } from '../vault/contexts.ts';
import { BACKTEST_COLUMNS, toBacktest, type BacktestRow } from './backtest-row.ts';
import { inTransaction, type Queryable } from '../postgres.ts';

/** The last decision that a back-test has processed; both null at the beginning. */
interface PageCursor {
  at: Date | null;
  id: string | null;
}

/** A back-test in state RUNNING. */
export interface RunningBacktest {
  id: string;
  tenantId: string;
  configurationId: string;
  ruleSet: RuleSet;
  contentHash: Buffer;
  from: Date;
  to: Date;
  total: number | null;
  tally: BacktestTally;
  cursor: PageCursor;
}

/** Reads a back-test by id alone, for workflows; undefined when it does not run (any more). */
export async function findRunningBacktest(db: Database, id: string): Promise<RunningBacktest | undefined> {
  const { rows } = await db.pool.query<BacktestRow>(
    `select ${BACKTEST_COLUMNS} from rule_backtests where id = $1 and status = 'RUNNING'`,
    [id],
  );
  const row = rows[0];
  if (!row) return undefined;
  const record = toBacktest(row, await db.vault.tenantKeys(row.tenant_id, [row.content]));
  const { processed, changed, counts, ruleHits, ...rest } = record;
  return {
    ...rest,
    tenantId: row.tenant_id,
    tally: { processed, changed, counts, ruleHits },
    cursor: { at: row.cursor_at, id: row.cursor_id },
  };
}

// The last decision of each transaction in the time range; deleted transactions and those with hidden data are left out.
const DECIDED = `
  from rule_decisions d join transactions t on t.id = d.transaction_id and t.deleted_at is null and not t.sealed
  where d.configuration_id = $1 and d.tenant_id = $2 and d.created_at between $3 and $4
    and not exists (
      select 1 from rule_decisions l
      where l.transaction_id = d.transaction_id and l.sequence > d.sequence and l.created_at <= $4)`;

function rangeOf({ configurationId, tenantId, from, to }: RunningBacktest): unknown[] {
  return [configurationId, tenantId, from, to];
}

/** Counts the decisions to replay and stores the count. */
export async function countDecided(db: Queryable, backtest: RunningBacktest): Promise<number> {
  const { rows } = await db.query<{ total: number }>(
    `with decided as (select count(*) as total ${DECIDED})
     update rule_backtests b set total = decided.total from decided where b.id = $5 and b.tenant_id = $2
     returning b.total`,
    [...rangeOf(backtest), backtest.id],
  );
  return rows[0]?.total ?? 0;
}

/** A stored decision with its inputs. */
export interface StoredDecision {
  id: string;
  transactionId: string;
  decision: RuleVerdict;
  spent: string[];
  facts: Facts;
  evaluatedAt: Date;
  key: RecordKey;
}

interface PageRow {
  id: string;
  transaction_id: string;
  decision: RuleVerdict;
  spent: string[];
  facts: Buffer;
  created_at: Date;
  record_key: Buffer;
}

/** The next decisions after the cursor, oldest first. */
export async function readDecidedPage(
  db: Database,
  backtest: RunningBacktest,
  limit: number,
): Promise<StoredDecision[]> {
  const { tenantId, cursor } = backtest;
  const { rows } = await db.pool.query<PageRow>({
    name: 'backtest-page',
    text: `select d.id, d.transaction_id, d.decision, d.spent, d.facts, d.created_at, t.record_key ${DECIDED}
           and (d.created_at, d.id) > ($5::timestamptz, $6::uuid) order by d.created_at, d.id limit $7`,
    values: [...rangeOf(backtest), cursor.at ?? '-infinity', cursor.id ?? NO_ID, limit],
  });
  const keys = await db.vault.tenantKeys(
    tenantId,
    rows.map((row) => row.record_key),
  );
  return rows.map((row) => {
    const { id, transaction_id: transactionId } = row;
    const key = keys.openRecordKey(
      row.record_key,
      sealingContext.transaction.key({ tenantId, id: transactionId }),
    );
    const facts = key.open<Facts>(
      sealingContext.ruleDecision.facts({ tenantId, transactionId, id }),
      row.facts,
    );
    const { decision, spent, created_at: evaluatedAt } = row;
    return { id, transactionId, decision, spent, facts, evaluatedAt, key };
  });
}

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A transaction whose decision changes, to be stored with its trace. */
export interface KeptChange {
  stored: StoredDecision;
  evaluation: RuleEvaluation;
  /** Number in the order of decisions, counted from 1. */
  place: number;
}

export interface DonePage {
  backtest: RunningBacktest;
  tally: BacktestTally;
  cursor: PageCursor;
  changes: readonly KeptChange[];
  isLast: boolean;
}

/**
 * Stores the results of a page. False, with nothing written, when the back-test was ended or another worker has
 * advanced it.
 */
export async function writePage(db: Database, page: DonePage, now: Date): Promise<boolean> {
  const { backtest, tally, cursor, changes, isLast } = page;
  return await inTransaction(db.pool, async (tx) => {
    const { rowCount } = await tx.query(
      `update rule_backtests set processed = $4, changed = $5, counts = $6, rule_hits = $7, cursor_at = $8,
         cursor_id = $9, wake_at = case when not $10 then $11::timestamptz end,
         finished_at = case when $10 then $11::timestamptz end, status = case when $10 then 'COMPLETED' else status end
       where tenant_id = $1 and id = $2 and status = 'RUNNING' and cursor_id is not distinct from $3`,
      [
        backtest.tenantId,
        backtest.id,
        backtest.cursor.id,
        tally.processed,
        tally.changed,
        JSON.stringify(tally.counts),
        JSON.stringify(tally.ruleHits),
        cursor.at,
        cursor.id,
        isLast,
        now,
      ],
    );
    if (rowCount === 0) return false;
    if (changes.length > 0) await insertChanges(tx, backtest, changes);
    return true;
  });
}

const changeColumns = ({ id, tenantId }: RunningBacktest): Column<KeptChange>[] => [
  { name: 'backtest_id', type: 'uuid', value: () => id },
  { name: 'place', type: 'int', value: ({ place }) => place },
  { name: 'tenant_id', type: 'uuid', value: () => tenantId },
  { name: 'transaction_id', type: 'uuid', value: ({ stored }) => stored.transactionId },
  { name: 'decision_id', type: 'uuid', value: ({ stored }) => stored.id },
  { name: 'decision', type: 'text', value: ({ evaluation }) => evaluation.decision },
  { name: 'decided_by', type: 'text', value: ({ evaluation }) => evaluation.decidedBy },
  {
    name: 'trace',
    type: 'bytea',
    value: ({ stored, evaluation }) =>
      stored.key.sealCompressed(
        sealingContext.backtest.change(tenantId, stored.transactionId, id),
        evaluation.rules,
      ),
  },
];

async function insertChanges(
  tx: Queryable,
  backtest: RunningBacktest,
  changes: readonly KeptChange[],
): Promise<void> {
  const columns = changeColumns(backtest);
  await tx.query(insertSql('rule_backtest_changes', columns), unnestValues(columns, changes));
}
