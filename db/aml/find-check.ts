import type { CheckRecord } from '../../domain/aml/check.ts';
import { isFaultWord, type FaultWord } from '../../domain/aml/fault.ts';
import type { AmlSubject } from '../../domain/aml/finding.ts';
import type { ProviderCode } from '../../domain/aml/service-key.ts';
import { notFound } from '../../domain/errors.ts';
import type { Database } from '../database.ts';
import { CHECK_COLUMNS, toCheck, type CheckRow } from './check-row.ts';
import { requestKey } from './claim-check.ts';

/** Opens a row that has an answer. */
export async function openCheck(db: Database, row: CheckRow): Promise<CheckRecord> {
  const keys = await db.vault.tenantKeys(row.tenant_id, row.sealed ? [row.sealed] : []);
  return toCheck(keys, row);
}

/** An entry of the history. Throws not_found, also for somebody else's. */
export async function getCheck(db: Database, tenantId: string, id: string): Promise<CheckRecord> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and id = $2 and sealed is not null`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('check');
  return await openCheck(db, rows[0]);
}

/** How far a check is that somebody else asks for; undefined while it is under way. */
export async function findOutcome(
  db: Database,
  tenantId: string,
  id: string,
): Promise<{ check: CheckRecord } | { fault: FaultWord } | undefined> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks where tenant_id = $1 and id = $2 and state <> 'PENDING'`,
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) return undefined;
  // A row that is asked about anew keeps its answer; the fault of this time is told all the same.
  if (isFaultWord(row.fault)) return { fault: row.fault };
  return { check: await openCheck(db, row) };
}

/** The newest stored answer to a question that was fetched after `since`, whether or not it is still good. */
export async function findStored(
  db: Database,
  tenantId: string,
  provider: ProviderCode,
  subject: AmlSubject,
  since: Date,
): Promise<CheckRecord | undefined> {
  const { rows } = await db.pool.query<CheckRow>(
    `select ${CHECK_COLUMNS} from aml_checks
     where tenant_id = $1 and provider = $2 and request_key = $3 and sealed is not null and fetched_at >= $4
     order by created_at desc, id desc limit 1`,
    [tenantId, provider, requestKey(subject), since],
  );
  return rows[0] && (await openCheck(db, rows[0]));
}
