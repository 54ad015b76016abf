import { notFound } from '../../domain/errors.ts';
import type { ReviewEntry } from '../../domain/transactions/record.ts';
import type { ReviewFile, TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { Database } from '../database.ts';
import { findOpenTransaction } from '../transactions/find-transaction.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { OpenTransaction } from '../transactions/row.ts';

/** The screening data of a transfer that a reviewer may read; no screening while its data is hidden. Throws not_found. */
export async function getReviewFile(
  db: Database,
  tenantId: string,
  transactionId: string,
): Promise<ReviewFile> {
  const open = await findOpenTransaction(db, tenantId, transactionId);
  if (!open) throw notFound('transaction');
  const { hold, sealed, personal } = open.record;
  return {
    hold,
    screening: sealed ? null : await findLatestScreening(db, open),
    reviews: (personal.reviews ?? []).map(viewReview),
  };
}

const NOT_SAID = { notAsked: null };

/** The latest complete screening of a transfer, up to `until` where that is given; null before the first. */
export async function findLatestScreening(
  { pool }: Database,
  { record, key }: OpenTransaction,
  until: string | null = null,
): Promise<TransactionScreening | null> {
  const { rows } = await pool.query<{ id: string; content: Buffer }>(
    `select id, content from transaction_screenings where tenant_id = $1 and transaction_id = $2
       and ($3::timestamptz is null or created_at <= $3)
     order by created_at desc, id desc limit 1`,
    [record.tenantId, record.id, until],
  );
  const row = rows[0];
  if (!row) return null;
  const context = sealingContext.transaction.screening(record, row.id);
  // Screenings of earlier releases do not say why a provider was not asked.
  return { ...NOT_SAID, ...key.open<TransactionScreening>(context, row.content) };
}

function viewReview({ at, decision, reason, version, proposal }: ReviewEntry): ReviewFile['reviews'][number] {
  return { at, decision, reason, version: version ?? null, isProposal: proposal !== undefined };
}
