import type { CheckRecord } from '../../domain/aml/check.ts';
import type { AmlFinding } from '../../domain/aml/finding.ts';
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
  const { rows } = await db.pool.query<CheckRow>({
    name: 'insert-own-aml-check',
    text: `
      insert into aml_checks (id, tenant_id, provider, request_key, kind, blockchain, value, direction, context_address,
        state, recheck_of, status, risk_score, sealed, created_at, created_by, fetched_at, expires_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'DONE', $10, $11, $12, $13, $14, $15, $14, $14)
      returning ${CHECK_COLUMNS}`,
    values: [
      id,
      tenantId,
      provider,
      requestKey(subject),
      subject.kind,
      subject.blockchain,
      subject.value,
      subject.direction,
      subject.contextAddress,
      recheckOf ?? null,
      finding.status,
      finding.riskScore,
      sealCheck(keys, tenantId, id, { finding, raw: null }),
      now,
      createdBy,
    ],
  });
  if (!rows[0]) throw new Error('the check was not stored');
  return toCheck(keys, rows[0]);
}
