import { notFound } from '../../domain/errors.ts';
import { sealingContext } from '../vault/contexts.ts';
import { NOT_DELETED, TRANSFER_KEY } from './screened-transfer.ts';
import { openerOf } from './screening-row.ts';
import type { Database } from '../database.ts';

/** A stored screening response; `json` is byte for byte what was sent. */
export interface KeptScreening {
  json: Buffer;
  subjectToken: bigint;
}

interface KeptRow {
  answer: Buffer;
  subject_token: string;
  transaction_id: string | null;
  record_key: Buffer | null;
}

/** Reads a stored screening response. Throws not_found, also for that of a transfer that was deleted. */
export async function getScreening(db: Database, tenantId: string, id: string): Promise<KeptScreening> {
  const { rows } = await db.pool.query<KeptRow>(
    `select answer, subject_token::text, transaction_id, ${TRANSFER_KEY} from screenings
     where tenant_id = $1 and id = $2 and ${NOT_DELETED}`,
    [tenantId, id],
  );
  const row = rows[0];
  if (!row) throw notFound('screening');
  const keys = await db.vault.tenantKeys(tenantId, [row.record_key ?? row.answer]);
  return {
    json: openerOf(keys, tenantId, row).openBytes(
      sealingContext.sanctionsScreening.answer(tenantId, id),
      row.answer,
    ),
    subjectToken: BigInt(row.subject_token),
  };
}
