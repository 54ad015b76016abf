import type pg from 'pg';
import { FIRST_DAY, lastSealedDay } from '../../domain/seals/days.ts';
import { statementText } from '../../domain/seals/seal.ts';
import { settingsOf, type StoredSettings } from '../../domain/tenants/settings.ts';
import { readDayAuditHeads, type DayAuditHeads } from '../audit/day-audit-heads.ts';
import { insertSql, unnestValues, type Column } from '../columns.ts';
import type { Database } from '../database.ts';
import type { OutboxEntry } from '../outbox.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { announceSeals } from './announce-seals.ts';
import { readDayHeads, type DayHeads } from './day-heads.ts';
import { hashOfSeal, type NewSeal } from './seal-row.ts';

/** A tenant whose next seal is the one of a day. */
interface DueTenant {
  id: string;
  settings: StoredSettings;
  previous_jws: string | null;
}

/** A sealed day with the outbox entries to deliver after the commit. */
interface SealedDay {
  day: string;
  seals: number;
  outbox: OutboxEntry[];
}

const columns: Column<NewSeal>[] = [
  { name: 'tenant_id', type: 'uuid', value: (seal) => seal.tenantId },
  { name: 'day', type: 'text', cast: 'date', value: (seal) => seal.day },
  { name: 'jws', type: 'text', value: (seal) => seal.jws },
  { name: 'created_at', type: 'timestamptz', value: (seal) => seal.createdAt },
];

/**
 * SQL: tenants with the first day that has no seal yet; a tenant's first seal is that of the day it was created. `$1` is the
 * last day that is over: rows of later days and of days before the product were not written by a worker, and must not stop
 * the seals.
 */
const NEXT_DAYS = `
  select t.id, t.settings, s.jws as previous_jws,
    coalesce(s.day + 1, greatest((t.created_at at time zone 'UTC')::date, date '${FIRST_DAY}')) as next
  from tenants t
  left join lateral (
    select day, jws from event_seals where tenant_id = t.id and day between '${FIRST_DAY}' and $1::date order by day desc limit 1
  ) s on true`;

/**
 * Seals the oldest day that is over and lacks the seal of any tenant, for all tenants that lack it, in one transaction.
 * Returns null when there is none, or when another process is sealing.
 */
export async function sealOldestDay(db: Database, now: Date): Promise<SealedDay | null> {
  return await inTransaction(db.pool, async (tx) => {
    if (!(await isSealingAlone(tx))) return null;
    const last = lastSealedDay(now);
    const { rows } = await tx.query<{ day: string | null }>(
      `select min(next)::text as day from (${NEXT_DAYS}) n where next <= $1::date`,
      [last],
    );
    const day = rows[0]?.day;
    return day ? await sealDay(db, tx, { day, last }, now) : null;
  });
}

async function isSealingAlone(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ alone: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('event seals', 0)) as alone`,
  );
  return rows[0]?.alone === true;
}

async function sealDay(
  db: Database,
  tx: pg.PoolClient,
  { day, last }: { day: string; last: string },
  now: Date,
): Promise<SealedDay> {
  const { rows: due } = await tx.query<DueTenant>(
    `select id, settings, previous_jws from (${NEXT_DAYS}) n where next = $2::date order by id`,
    [last, day],
  );
  const ids = due.map(({ id }) => id);
  const heads = await readDayHeads(tx, day, ids);
  const audit = await readDayAuditHeads(tx, day, ids);
  const seals = due.map((tenant) => ({
    tenantId: tenant.id,
    day,
    jws: db.vault.seals.sign(statementOf(tenant, { day, heads, audit })),
    createdAt: now,
    isAnnounced: settingsOf(tenant.settings).sealWebhook,
  }));
  await tx.query(insertSql('event_seals', columns), unnestValues(columns, seals));
  return { day, seals: seals.length, outbox: await announceSeals(db, tx, seals) };
}

/** Heads of the logs of all tenants at the end of a day. */
interface DayState {
  day: string;
  heads: ReadonlyMap<string, DayHeads>;
  audit: DayAuditHeads;
}

function statementOf(tenant: DueTenant, { day, heads, audit }: DayState): string {
  const counts = heads.get(tenant.id);
  if (!counts) throw new Error('the heads of a tenant were not counted');
  const previous = tenant.previous_jws === null ? null : hashOfSeal(tenant.previous_jws);
  return statementText({
    tenantId: tenant.id,
    day,
    ...counts,
    previous,
    audit: audit.byTenant.get(tenant.id) ?? null,
    operatorAudit: audit.operators,
  });
}
