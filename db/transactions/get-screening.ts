import { notFound } from '../../domain/errors.ts';
import type { ReviewEntry } from '../../domain/transactions/record.ts';
import type { ReviewFile, TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { findOpenTransaction } from './find-transaction.ts';
import { sealingContext } from '../vault/contexts.ts';
import type { OpenTransaction } from './row.ts';

/** The screening data of a transfer that a reviewer may read; no screening while its data is hidden. Throws not_found. */
export async function getReviewFile(
  db: Database,
  tenantId: string,
  transactionId: string,
): Promise<ReviewFile> {
  const open = await findOpenTransaction(db, tenantId, transactionId);
  if (!open) throw notFound('transaction');
  const { version, hold, sealed, personal } = open.record;
  return {
    version,
    hold,
    // Read after the record: a newer screening belongs to a newer version, which refuses a review of this one.
    screening: sealed ? null : await findLatestScreening(db, open),
    reviews: (personal.reviews ?? []).map(viewReview),
  };
}

const NOT_SAID = { notAsked: null };
const NOT_RELEASED = { isReleased: false };

/** The latest complete screening of a transfer, or the latest that `review` decided on; null where there is none. */
export async function findLatestScreening(
  { pool }: { pool: Queryable },
  { record, key }: OpenTransaction,
  review: ReviewEntry | null = null,
): Promise<TransactionScreening | null> {
  // By version, since screening and review have clocks of different machines; reviews of earlier releases have only the time.
  const { recordVersion = null, at = null } = review ?? {};
  const { rows } = await pool.query<{ id: string; content: Buffer }>(
    `select id, content from transaction_screenings where tenant_id = $1 and transaction_id = $2
       and case when $3::int is null then $4::timestamptz is null or created_at <= $4 else record_version <= $3 end
     order by record_version desc, created_at desc, id desc limit 1`,
    [record.tenantId, record.id, recordVersion, at],
  );
  const row = rows[0];
  if (!row) return null;
  const context = sealingContext.transaction.screening(record, row.id);
  return completed(key.open<TransactionScreening>(context, row.content));
}

/** Screenings of earlier releases say neither why a provider was not asked nor what was released. */
function completed(screening: TransactionScreening): TransactionScreening {
  const { sanctions } = screening;
  const subjects = sanctions.subjects.map((subject) => ({ ...NOT_RELEASED, ...subject }));
  return { ...NOT_SAID, ...screening, sanctions: { ...sanctions, subjects } };
}

/** A review as the tenant reads it. */
export function viewReview({
  at,
  decision,
  reason,
  version,
  proposal,
}: ReviewEntry): ReviewFile['reviews'][number] {
  return { at, decision, reason, version: version ?? null, isProposal: proposal !== undefined };
}
