import type { Database } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { insertSql, unnestValues, type Column } from '../db/columns.ts';
import { sealingContext } from '../db/vault/contexts.ts';
import type { Facts } from '../domain/rules/facts.ts';

interface Load {
  tenantId: string;
  configurationId: string;
  factsOf: (n: number) => Facts;
}

interface Row {
  id: string;
  transactionId: string;
  facts: Buffer;
  trace: Buffer;
  at: Date;
}

const BATCH = 2_000;

/** Inserts one rule decision for each transaction of a tenant, encrypted as the product does. */
export async function loadDecisions(
  db: Database,
  { tenantId, configurationId, factsOf }: Load,
): Promise<void> {
  const keys = await db.vault.tenantKeys(tenantId);
  const columns = columnsFor(tenantId, configurationId);
  let lastId = '00000000-0000-0000-0000-000000000000';
  for (let done = 0; ;) {
    const { rows } = await db.pool.query<{ id: string; record_key: Buffer; created_at: Date }>(
      'select id, record_key, created_at from transactions where tenant_id = $1 and id > $2 order by id limit $3',
      [tenantId, lastId, BATCH],
    );
    if (rows.length === 0) break;
    const made = rows.map(({ id: transactionId, record_key, created_at: at }): Row => {
      const key = keys.openRecordKey(
        record_key,
        sealingContext.transaction.key({ tenantId, id: transactionId }),
      );
      const id = newId(at);
      const ref = { tenantId, transactionId, id };
      const facts = key.sealCompressed(sealingContext.ruleDecision.facts(ref), factsOf((done += 1)));
      return {
        id,
        transactionId,
        facts,
        trace: key.sealCompressed(sealingContext.ruleDecision.trace(ref), EVALUATION),
        at,
      };
    });
    await db.pool.query(insertSql('rule_decisions', columns), unnestValues(columns, made));
    lastId = rows.at(-1)?.id ?? lastId;
  }
  await db.pool.query('analyze rule_decisions');
}

const EVALUATION = {
  decision: 'PROCEED',
  decidedBy: 'default',
  waitMinutes: null,
  reason: null,
  restsOnSanctions: false,
  rules: [],
};

function columnsFor(tenantId: string, configurationId: string): Column<Row>[] {
  return [
    { name: 'id', type: 'uuid', value: (row) => row.id },
    { name: 'tenant_id', type: 'uuid', value: () => tenantId },
    { name: 'transaction_id', type: 'uuid', value: (row) => row.transactionId },
    { name: 'sequence', type: 'int', value: () => 1 },
    { name: 'direction', type: 'text', value: () => 'OUTGOING' },
    { name: 'configuration_id', type: 'uuid', value: () => configurationId },
    { name: 'version', type: 'int', value: () => 0 },
    { name: 'decision', type: 'text', value: () => EVALUATION.decision },
    { name: 'decided_by', type: 'text', value: () => EVALUATION.decidedBy },
    { name: 'rests_on_sanctions', type: 'boolean', value: () => false },
    { name: 'spent', type: 'text', cast: 'text[]', value: () => '{}' },
    { name: 'facts', type: 'bytea', value: (row) => row.facts },
    { name: 'trace', type: 'bytea', value: (row) => row.trace },
    { name: 'created_at', type: 'timestamptz', value: (row) => row.at },
  ];
}
