import type { ProviderCode } from '../../domain/aml/service-key.ts';
import type { Queryable } from '../postgres.ts';

/** A provider's completed checks and the credits that it charged. */
export interface AmlUsage {
  provider: ProviderCode;
  /** Number of checks with a result. */
  checks: number;
  /** Includes the credits of responses that could not be read. */
  credits: number;
}

/** Sums the tenant's checks made from `from` on and before `to`, by provider. Reused results do not count. */
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
