import type { ProviderCode } from '../../domain/aml/service-key.ts';
import type { Queryable } from '../postgres.ts';

/** What a provider was asked for and what it took. */
export interface AmlUsage {
  provider: ProviderCode;
  /** Checks that were answered. */
  checks: number;
  /** Also those of answers that could not be read. */
  credits: number;
}

/** The tenant's checks made from `from` on and before `to`, by provider; answers from store are none. */
export async function sumCredits(
  db: Queryable,
  tenantId: string,
  { from, to }: { from: Date; to: Date },
): Promise<AmlUsage[]> {
  const { rows } = await db.query<AmlUsage>(
    `select provider, count(*) filter (where sealed is not null) as checks, sum(credits) as credits
     from aml_checks where tenant_id = $1 and created_at >= $2 and created_at < $3
     group by provider order by provider`,
    [tenantId, from, to],
  );
  return rows;
}
