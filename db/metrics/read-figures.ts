import type { Queryable } from '../postgres.ts';
import { readListFigures, type ListFigures } from '../sanctions-lists/list-health.ts';
import { WAITING_ENTRIES } from '../outbox.ts';
import {
  IS_OVERDUE,
  noneOfAnyKind,
  UNFINISHED_KINDS,
  UNFINISHED_ROWS,
  type UnfinishedKind,
} from '../reconcile/unfinished-rows.ts';

/** What the database says about the health of the whole deployment, whichever process asks. */
export interface DatabaseFigures {
  /** Seconds since the creation of each tenant's oldest webhook that has not arrived; tenants without one are left out. */
  oldestUndelivered: { tenantId: string; seconds: number }[];
  /** Rows of the outbox that wait for the relay, and for how many seconds the oldest of them has. */
  outbox: { rows: number; lagSeconds: number };
  rowsWithoutWorkflow: Record<UnfinishedKind, number>;
  /** Ever since the database was made. */
  webhookOutcomes: { outcome: string; total: number }[];
  sanctionsLists: ListFigures[];
  /** Rule configurations whose published version was held back by the guard. */
  guardedRules: number;
}

/** Nothing is counted further than this: whoever is alerted knows enough by then. */
const COUNT_LIMIT = 10_000;
const TENANT_LIMIT = 1_000;

/** Each statement looks only at the ends of indexes, so that the figures cost the same however much is stored. */
export async function readFigures(db: Queryable): Promise<DatabaseFigures> {
  return {
    oldestUndelivered: await oldestUndelivered(db),
    outbox: await outboxFigures(db),
    rowsWithoutWorkflow: await rowsWithoutWorkflow(db),
    webhookOutcomes: await webhookOutcomes(db),
    sanctionsLists: await readListFigures(db),
    guardedRules: await guardedRules(db),
  };
}

/** Jumps from tenant to tenant through the index of open deliveries instead of reading all of them. */
async function oldestUndelivered(db: Queryable): Promise<DatabaseFigures['oldestUndelivered']> {
  const next = (after: string) => `
    select tenant_id, created_at from webhook_deliveries
    where status in ('PENDING', 'FAILED') ${after} order by tenant_id, created_at limit 1`;
  const { rows } = await db.query<{ tenantId: string; seconds: number }>(
    `with recursive oldest as (
       (${next('')})
       union all
       select n.tenant_id, n.created_at
       from oldest o cross join lateral (${next('and tenant_id > o.tenant_id')}) n
     )
     select tenant_id as "tenantId", extract(epoch from now() - created_at)::float8 as seconds
     from oldest limit $1`,
    [TENANT_LIMIT],
  );
  return rows;
}

/** By created_at, since the relay moves due_at with every try; what waits for its turn in a range is dated ahead. */
async function outboxFigures(db: Queryable): Promise<DatabaseFigures['outbox']> {
  const { rows } = await db.query<DatabaseFigures['outbox']>(
    `select count(*)::int as rows,
       greatest(0, coalesce(extract(epoch from now() - min(created_at)), 0))::float8 as "lagSeconds"
     from (select created_at from ${WAITING_ENTRIES} limit $1) waiting`,
    [COUNT_LIMIT],
  );
  return rows[0] ?? { rows: 0, lagSeconds: 0 };
}

async function rowsWithoutWorkflow(db: Queryable): Promise<DatabaseFigures['rowsWithoutWorkflow']> {
  const counts = noneOfAnyKind();
  for (const kind of UNFINISHED_KINDS) {
    const { rows } = await db.query<{ count: number }>(
      `select count(*)::int as count from (
         select 1 from ${UNFINISHED_ROWS[kind].table} r where ${IS_OVERDUE} order by r.wake_at limit $1
       ) overdue`,
      [COUNT_LIMIT],
    );
    counts[kind] = rows[0]?.count ?? 0;
  }
  return counts;
}

async function webhookOutcomes(db: Queryable): Promise<DatabaseFigures['webhookOutcomes']> {
  const { rows } = await db.query<{ outcome: string; total: number }>(
    'select outcome, sum(total)::float8 as total from webhook_outcomes group by outcome',
  );
  return rows;
}

async function guardedRules(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from rule_configurations where guard_version = published_version limit $1
     ) guarded`,
    [COUNT_LIMIT],
  );
  return rows[0]?.count ?? 0;
}
