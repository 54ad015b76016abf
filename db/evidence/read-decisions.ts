import type { DecisionLine } from '../../domain/evidence/lines.ts';
import { viewVersion, type RuleVersion } from '../../domain/rules/configuration.ts';
import { viewDecision, type RuleDecision } from '../../domain/rules/decision-record.ts';
import { sha256 } from '../../domain/sha256.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { toDecision, type DecisionRow } from '../rules/decision-row.ts';
import { getVersion } from '../rules/versions.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { SealedValueError } from '../vault/cipher.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import { inBatches } from './in-batches.ts';

/** A decision has the trace of every rule with it. */
const BATCH = 10;

type Row = Omit<DecisionRow, 'record_key'>;

/** A decision, with the hashes of what is stored of it: the hash in its event is over these. */
type StoredDecision = RuleDecision & Record<'sealedFacts' | 'sealedTrace', string>;

/** What is told of a decision that somebody has changed, so that it does not open. */
type UnreadableDecision = DecisionLine & { withheld: 'UNREADABLE' };

/**
 * The decisions of the rules on a transaction with their traces, oldest first, without those whose event came after the
 * record was read; none while its data is hidden.
 */
export async function* readDecisions(
  { pool, vault }: Database,
  { record, wrappedKey }: OpenTransaction,
): AsyncGenerator<StoredDecision | UnreadableDecision> {
  if (record.sealed) return;
  const { tenantId } = record;
  const rows = inBatches<Row>(BATCH, async (last, size) => {
    const { rows: batch } = await pool.query<Row>(
      `select id, tenant_id, transaction_id, sequence, direction, configuration_id, version, wait_until, spent, facts,
         trace, created_at
       from rule_decisions d where tenant_id = $1 and transaction_id = $2 and sequence > $3 and not exists (
         select from events e where e.tenant_id = $1 and e.subject_id = $2 and e.sequence > $5
           and e.data->>'ruleDecisionId' = d.id::text)
       order by sequence limit $4`,
      [tenantId, record.id, last?.sequence ?? 0, size, record.sequence],
    );
    return batch;
  });
  const keys = await vault.tenantKeys(tenantId, [wrappedKey]);
  for await (const row of rows) yield lineOf({ ...row, record_key: wrappedKey }, keys);
}

function lineOf(row: DecisionRow, keys: TenantKeys): StoredDecision | UnreadableDecision {
  try {
    return {
      ...viewDecision(toDecision(row, keys)),
      sealedFacts: sha256(row.facts).toString('hex'),
      sealedTrace: sha256(row.trace).toString('hex'),
    };
  } catch (error) {
    if (!(error instanceof SealedValueError)) throw error;
    const { id, sequence, configuration_id: configurationId, version } = row;
    return { id, sequence, configurationId, version, withheld: 'UNREADABLE' };
  }
}

/** The published versions of the rules that decided on a transaction, as far as they are there; version 0 is that of before the first one. */
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
    `select distinct configuration_id, version from rule_decisions join rule_versions v using (configuration_id, version)
     where v.tenant_id = $1 and rule_decisions.tenant_id = $1 and transaction_id = $2 and version > 0
     order by configuration_id, version`,
    [tenantId, id],
  );
  return rows;
}
