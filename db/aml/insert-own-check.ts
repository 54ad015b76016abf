import type { CheckRecord } from '../../domain/aml/check.ts';
import type { AmlFinding } from '../../domain/aml/finding.ts';
import { insertRow } from '../columns.ts';
import type { Database } from '../database.ts';
import { newId } from '../new-id.ts';
import { CHECK_COLUMNS, sealCheck, toCheck, type CheckRow } from './check-row.ts';
import { requestKey, type CheckRequest } from './claim-check.ts';

/** Stores a check that the service made itself, without a provider: no lease is needed, so it is one statement. */
export async function insertOwnCheck(
  db: Database,
  { tenantId, provider, subject, createdBy, recheckOf }: CheckRequest,
  finding: AmlFinding,
  now: Date,
): Promise<CheckRecord> {
  const keys = await db.vault.tenantKeys(tenantId);
  const id = newId(now);
  const row = {
    id,
    tenant_id: tenantId,
    provider,
    request_key: requestKey(subject),
    kind: subject.kind,
    blockchain: subject.blockchain,
    value: subject.value,
    direction: subject.direction,
    context_address: subject.contextAddress,
    state: 'DONE',
    recheck_of: recheckOf ?? null,
    status: finding.status,
    risk_score: finding.riskScore,
    sealed: sealCheck(keys, tenantId, id, { finding, raw: null }),
    created_at: now,
    created_by: createdBy,
    fetched_at: now,
    expires_at: now,
  };
  const { rows } = await db.pool.query<CheckRow>({
    name: 'insert-own-aml-check',
    ...insertRow('aml_checks', row, `returning ${CHECK_COLUMNS}`),
  });
  if (!rows[0]) throw new Error('the check was not stored');
  return toCheck(keys, rows[0]);
}
