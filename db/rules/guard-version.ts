import { GUARD, type GuardCount } from '../../domain/rules/guard.ts';
import type { RuleVerdict } from '../../domain/rules/schema.ts';
import type { Queryable } from '../postgres.ts';

interface PublishedVersion {
  tenantId: string;
  configurationId: string;
  version: number;
}

// From the moment of publication on, so that the index finds the first decisions at once.
const FIRST = `
  select d.decision from rule_decisions d
  where d.tenant_id = $1 and d.configuration_id = $2 and d.version = $3 and d.created_at >= (
    select v.published_at from rule_versions v where v.configuration_id = $2 and v.version = $3 and v.tenant_id = $1)
  order by d.created_at, d.id limit ${GUARD.decisions}`;

/** The first decisions of a version, at most 50, in order. */
export async function firstDecisions(db: Queryable, of: PublishedVersion): Promise<RuleVerdict[]> {
  const { rows } = await db.query<{ decision: RuleVerdict }>({
    name: 'first-rule-decisions',
    text: FIRST,
    values: [of.tenantId, of.configurationId, of.version],
  });
  return rows.map(({ decision }) => decision);
}

/** Trips the guard of a version. Changes nothing when it is tripped already or another version is published. */
export async function guardVersion(
  tx: Queryable,
  { tenantId, configurationId, version }: PublishedVersion,
  { blocked, decisions }: GuardCount,
  now: Date,
): Promise<void> {
  await tx.query(
    `update rule_configurations set guard_version = $3, guard_tripped_at = $4, guard_blocked = $5, guard_decisions = $6
     where tenant_id = $1 and id = $2 and published_version = $3 and guard_version is distinct from $3`,
    [tenantId, configurationId, version, now, blocked, decisions],
  );
}
