import { webhooksHeldBack } from '../brakes/find-brake.ts';
import type { Queryable } from '../postgres.ts';
import { readListFigures, type ListFigures } from '../sanctions-lists/list-health.ts';
import { WAITING_ENTRIES } from '../outbox.ts';
import {
  IS_OVERDUE,
  needsWorkflow,
  noneOfAnyKind,
  UNFINISHED_KINDS,
  UNFINISHED_ROWS,
  type UnfinishedKind,
} from '../reconcile/unfinished-rows.ts';

/** Health figures of the whole deployment, the same in every process. */
export interface DatabaseFigures {
  /** Age in seconds of each tenant's oldest undelivered webhook; tenants without one, and suspended ones, are left out. */
  oldestUndelivered: { tenantId: string; seconds: number }[];
  /** Outbox rows that wait for the relay, and the age of the oldest in seconds. */
  outbox: { rows: number; lagSeconds: number };
  rowsWithoutWorkflow: Record<UnfinishedKind, number>;
  /** Totals since the database was created. */
  webhookOutcomes: { outcome: string; total: number }[];
  sanctionsLists: ListFigures[];
  /** Number of rule configurations whose published version was held back by the guard. */
  guardedRules: number;
  /** Number of mails of the last 24 hours that were given up. */
  unsentMails: number;
}

/** Counts stop here: an alert needs no higher number. */
const COUNT_LIMIT = 10_000;
const TENANT_LIMIT = 1_000;

/**
 * Reads the figures. Each statement reads only the ends of indexes, so the cost does not grow with the stored data.
 */
export async function readFigures(db: Queryable): Promise<DatabaseFigures> {
  return {
    oldestUndelivered: await oldestUndelivered(db),
    outbox: await outboxFigures(db),
    rowsWithoutWorkflow: await rowsWithoutWorkflow(db),
    webhookOutcomes: await webhookOutcomes(db),
    sanctionsLists: await readListFigures(db),
    guardedRules: await guardedRules(db),
    unsentMails: await unsentMails(db),
  };
}

/** Jumps from tenant to tenant through the index of open deliveries instead of reading all of them. */
async function oldestUndelivered(db: Queryable): Promise<DatabaseFigures['oldestUndelivered']> {
  const next = (condition: string) => `
    select tenant_id, created_at from webhook_deliveries
    where status in ('PENDING', 'FAILED') ${condition} order by tenant_id, created_at limit 1`;
  const { rows } = await db.query<{ tenantId: string; seconds: number }>(
    `with recursive oldest as (
       (${next('')})
       union all
       select n.tenant_id, n.created_at
       from oldest o cross join lateral (${next('and tenant_id > o.tenant_id')}) n
     )
     select tenant_id as "tenantId", extract(epoch from now() - created_at)::float8 as seconds
     from oldest
     where not exists (select from tenants t where t.id = tenant_id and t.suspended_at is not null)
       and not ${webhooksHeldBack('oldest.tenant_id')} limit $1`,
    [TENANT_LIMIT],
  );
  return rows;
}

/**
 * By created_at, since the relay moves due_at with every attempt. Rows of a range redelivery are dated in the future.
 */
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
         select 1 from ${UNFINISHED_ROWS[kind].table} r where ${IS_OVERDUE} and ${needsWorkflow(UNFINISHED_ROWS[kind])} order by r.wake_at limit $1
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

async function unsentMails(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from (
       select 1 from mails where status = 'FAILED' and created_at > now() - interval '1 day' limit $1
     ) unsent`,
    [COUNT_LIMIT],
  );
  return rows[0]?.count ?? 0;
}
