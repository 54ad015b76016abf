import { fileRetention } from '../../domain/verifications/refused-files.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { Queryable } from '../postgres.ts';

interface ChangedRecord {
  before: VerificationRecord;
  after: VerificationRecord;
}

/**
 * Dates the refusal of files that these changes refuse, from which the time of their removal is counted; a file that was
 * refused before keeps its date. Changes without such files cost no statement.
 */
export async function dateRefusals(
  tx: Queryable,
  changes: readonly ChangedRecord[],
  now: Date,
): Promise<void> {
  const decided = changes
    .filter(({ after }) => after.flow === 'VISUAL_PROOF' || after.steps.length > 0)
    .map(({ before, after }) => ({ id: after.id, ...fileRetention(before, after) }));
  const refused = decided.flatMap(({ id, refused }) => refused.map((kind) => ({ id, kind })));
  const accepted = decided.flatMap(({ accepted }) => accepted);
  if (accepted.length > 0) {
    await tx.query('update verification_files set refused_at = null where id = any($1::uuid[])', [accepted]);
  }
  if (refused.length === 0) return;
  await tx.query(
    `update verification_files f set refused_at = $3 from unnest($1::uuid[], $2::text[]) r (id, kind)
     where f.verification_id = r.id and f.kind = r.kind and f.state = 'STORED' and f.refused_at is null`,
    [refused.map(({ id }) => id), refused.map(({ kind }) => kind), now],
  );
}
