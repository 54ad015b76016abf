import type { Queryable } from '../postgres.ts';

/** Rows per statement: about a second of work. */
const BATCH = 5_000;

/**
 * The tables whose rows go with their tenant, those that refer to others before these. What stays: the emptied records with their
 * logs, seals and audit log, and versions of rules and of sent messages, which no role may delete and no key opens any more. Rows
 * of rule decisions go once the keys are destroyed: until then the logs say that they are there.
 */
const TABLES = [
  'outbox',
  'idempotency_keys',
  'mails',
  'portal_links',
  'webhook_endpoint_leases',
  'webhook_deliveries',
  'proposals',
  'screening_suppressions',
  'screenings',
  'transaction_screenings',
  'rule_backtests',
  'aml_checks',
  'wallet_checks',
  'wallet_import_chunks',
  'wallet_imports',
  'wallet_releases',
  'trp_transfers',
  'trp_addresses',
  'wallets',
  'address_answers',
  'counterparty_steps',
  'counterparties',
  'reconciliation_findings',
  'reuse_requests',
  'verification_reuses',
  'selfie_analyses',
  'proof_attempts',
  'signed_messages',
  'chain_observations',
  'satoshi_watches',
  'brakes',
  'service_keys',
  'api_keys',
  'user_sessions',
  'user_links',
  'user_addresses',
  'users',
  'attested_addresses',
  'statistics_deltas',
  'statistics_counts',
  'customer_sums',
  'feed_entries',
];

/** Deletes the next rows of a tenant; the number of them, 0 when nothing is left. */
export async function emptyNextTable(db: Queryable, tenantId: string): Promise<number> {
  for (const table of TABLES) {
    const deleted = await deleteNext(db, table, tenantId);
    if (deleted > 0) return deleted;
  }
  return await emptyDrafts(db, tenantId);
}

/** Deletes the next rows of rule decisions, which were emptied with their records; the number of them, 0 when none is left. */
export async function deleteNextDecisions(db: Queryable, tenantId: string): Promise<number> {
  return await deleteNext(db, 'rule_decisions', tenantId);
}

async function deleteNext(db: Queryable, table: string, tenantId: string): Promise<number> {
  const { rowCount } = await db.query(
    `delete from ${table} where ctid = any(array(select ctid from ${table} where tenant_id = $1 limit ${BATCH}))`,
    [tenantId],
  );
  return rowCount ?? 0;
}

/** A configuration of rules is referred to by its versions. */
async function emptyDrafts(db: Queryable, tenantId: string): Promise<number> {
  const { rowCount } = await db.query(
    'update rule_configurations set draft = null where tenant_id = $1 and draft is not null',
    [tenantId],
  );
  return rowCount ?? 0;
}
