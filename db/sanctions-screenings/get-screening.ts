import { notFound } from '../../domain/errors.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { Database } from '../database.ts';

/** A stored screening response; `json` is byte for byte what was sent. */
export interface KeptScreening {
  json: Buffer;
  subjectToken: bigint;
}

/** Reads a stored screening response. Throws not_found. */
export async function getScreening(db: Database, tenantId: string, id: string): Promise<KeptScreening> {
  const { rows } = await db.pool.query<{ answer: Buffer; subject_token: string }>(
    'select answer, subject_token::text from screenings where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) throw notFound('screening');
  const keys = await db.vault.tenantKeys(tenantId, [row.answer]);
  return {
    json: keys.openBytes(sealingContext.sanctionsScreening.answer(tenantId, id), row.answer),
    subjectToken: BigInt(row.subject_token),
  };
}
