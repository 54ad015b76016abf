import { fileRetention } from '../../domain/verifications/refused-files.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';

interface ChangedRecord {
  before: VerificationRecord;
  after: VerificationRecord;
}

/**
 * Dates the refusal of files that these changes refuse, from which the time of their removal is counted. A file that was
 * refused before keeps its date, except that a reviewer's decision on it counts more than the end of its verification.
 * Changes without such files cost no statement.
 */
export async function dateRefusals(
  tx: Queryable,
  changes: readonly ChangedRecord[],
  now: Date,
): Promise<void> {
  const decided = changes
    .filter(({ after }) => after.flow === 'VISUAL_PROOF' || after.steps.length > 0)
    .map(({ before, after }) => ({ id: after.id, ...fileRetention(before, after) }));
  await dateFiles(
    tx,
    decided.flatMap(({ accepted }) => accepted),
    null,
  );
  await dateFiles(
    tx,
    decided.flatMap(({ declined }) => declined),
    now,
  );
  const refused = decided.flatMap(({ id, refused }) => refused.map((kind) => ({ id, kind })));
  if (refused.length === 0) return;
  await tx.query(
    `update verification_files f set refused_at = $3 from unnest($1::uuid[], $2::text[]) r (id, kind)
     where f.verification_id = r.id and f.kind = r.kind and f.state = 'STORED' and f.refused_at is null`,
    [refused.map(({ id }) => id), refused.map(({ kind }) => kind), now],
  );
}

async function dateFiles(tx: Queryable, ids: readonly string[], refusedAt: Date | null): Promise<void> {
  if (ids.length === 0) return;
  await tx.query(
    `update verification_files set refused_at = $2 where id = any($1::uuid[]) and state = 'STORED'`,
    [ids, refusedAt],
  );
}
