import { DomainError } from '../../domain/errors.ts';
import type { Queryable } from '../postgres.ts';

const PER_MINUTE = 60;
const WINDOW_SECONDS = 60;

/**
 * Counts a creation that requests earlier proofs, across all processes and API keys of the tenant: unlimited requests
 * would allow guessing who owns a wallet. Throws rate_limited with the seconds until the minute ends.
 */
export async function countReuseRequest(db: Queryable, tenantId: string, now: Date): Promise<void> {
  const { rows } = await db.query<{ requests: number; window_started_at: Date }>(
    `insert into reuse_requests as r (tenant_id, window_started_at, requests) values ($1, $2, 1)
     on conflict (tenant_id) do update set
       requests = case when r.window_started_at + $3 * interval '1 second' <= $2 then 1 else r.requests + 1 end,
       window_started_at = case when r.window_started_at + $3 * interval '1 second' <= $2 then $2
         else r.window_started_at end
     returning requests, window_started_at`,
    [tenantId, now, WINDOW_SECONDS],
  );
  const row = rows[0];
  if (!row || row.requests <= PER_MINUTE) return;
  const endsAt = row.window_started_at.getTime() + WINDOW_SECONDS * 1_000;
  throw new DomainError('rate_limited', 'A tenant may request earlier proofs 60 times per minute.', {
    retryAfterSeconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1_000)),
  });
}
