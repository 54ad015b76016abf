import {
  PARSER_VERSION,
  type CheckOutcome,
  type HttpValidator,
} from '../../domain/sanctions-lists/update.ts';
import type { Queryable } from '../postgres.ts';

/**
 * HTTP validators and content hash of the last fetch. Nothing is known when an older parser read it, so that the file
 * is read again.
 */
export interface LastFetch {
  validators: readonly HttpValidator[];
  sha256: Buffer | null;
}

/** Reads what is known of the last fetch of a list. */
export async function findLastFetch(db: Queryable, code: string): Promise<LastFetch> {
  const { rows } = await db.query<LastFetch>(
    `select validators, fetched_sha256 as sha256 from sanctions_lists
     where code = $1 and fetched_parser = $2`,
    [code, PARSER_VERSION],
  );
  return rows[0] ?? { validators: [], sha256: null };
}

/**
 * Records a check that found nothing new. A rejected list stays rejected, since the publisher has not corrected it.
 * `current_at` moves only where the active version is the publisher's.
 */
export async function noteUnchanged(
  db: Queryable,
  code: string,
  validators: readonly HttpValidator[],
): Promise<void> {
  await db.query(
    `update sanctions_lists l set checked_at = now(), validators = $2,
       check_outcome = case when check_outcome = 'REJECTED' then 'REJECTED' else 'UNCHANGED' end,
       check_detail = case when check_outcome = 'REJECTED' then check_detail end,
       current_at = case when exists (
         select 1 from sanctions_versions v
         where v.code = l.code and v.version = l.active_version and v.sha256 = l.fetched_sha256
       ) then now() else current_at end
     where code = $1`,
    [code, JSON.stringify(validators)],
  );
}

/** Records a check that failed; `detail` is a code. */
export async function noteFailure(
  db: Queryable,
  code: string,
  outcome: Extract<CheckOutcome, 'UNREADABLE' | 'FETCH_FAILED'>,
  detail: string,
): Promise<void> {
  await db.query(
    'update sanctions_lists set checked_at = now(), check_outcome = $2, check_detail = $3 where code = $1',
    [code, outcome, detail],
  );
}
