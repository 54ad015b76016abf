import type { Queryable } from '../postgres.ts';

export interface WalletRelease {
  id: string;
  tenantId: string;
  /** Number of its records. */
  total: number;
}

/** Ends a release when none of its records waits any more: true then. A repeat changes nothing. */
export async function endReleaseIfDone(
  db: Queryable,
  { id, tenantId }: WalletRelease,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query<{ is_done: boolean }>(
    `update wallet_releases r
     set wake_at = case when l.is_left then $3::timestamptz end,
       finished_at = case when l.is_left then null else coalesce(r.finished_at, $3::timestamptz) end
     from (select exists (select 1 from transactions where release_id = $1) as is_left) l
     where r.id = $1 and r.tenant_id = $2 returning not l.is_left as is_done`,
    [id, tenantId, now],
  );
  return rows[0]?.is_done ?? true;
}

/** An unfinished release by its id alone, for workflows; undefined when it is finished. */
export async function findOpenRelease(db: Queryable, id: string): Promise<WalletRelease | undefined> {
  const { rows } = await db.query<{ tenant_id: string; total: number }>(
    'select tenant_id, total from wallet_releases where id = $1 and wake_at is not null',
    [id],
  );
  return rows[0] && { id, tenantId: rows[0].tenant_id, total: rows[0].total };
}
