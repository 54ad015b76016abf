import type pg from 'pg';
import { dayAfter, lastSealedDay } from '../../domain/seals/days.ts';
import { readStatement } from '../../domain/seals/seal.ts';
import { addMs, HOUR_MS } from '../../domain/durations.ts';
import type { EventFault } from '../events/event-report.ts';
import { inTransaction } from '../postgres.ts';
import type { Vault } from '../vault/vault.ts';
import { readDayHeads, type DayHeads } from './day-heads.ts';
import { hashOfSeal } from './seal-row.ts';

interface SealLogs {
  pool: pg.Pool;
  vault: Pick<Vault, 'seals'>;
}

/** The seals that were looked at, and what is wrong with them; `id` of a fault is the tenant. */
export interface SealReport {
  checked: number;
  faults: EventFault[];
}

interface TenantSeal {
  id: string;
  /** Null when the seal of the day is missing. */
  jws: string | null;
}

/**
 * Compares the seals of all days with the events, for every tenant from the day it was created on. Finds events of a
 * sealed day that were changed, removed or added, and seals that are missing, were not signed by this deployment or do
 * not follow the one before. Does not find seals that were removed from the end and made anew by a worker over other
 * events: whoever has kept the removed ones can tell.
 */
export async function checkSeals(db: SealLogs, now: Date): Promise<SealReport> {
  const report: SealReport = { checked: 0, faults: [] };
  const previous = new Map<string, string>();
  // A worker seals within minutes; a seal that is made while this looks is not missing.
  const last = lastSealedDay(addMs(now, -HOUR_MS));
  let day = await firstDay(db.pool);
  while (day !== null && day <= last) {
    const { seals, heads } = await readDay(db.pool, day);
    for (const seal of seals) {
      const fault = sealFault(db, {
        ...seal,
        day,
        previous: previous.get(seal.id),
        heads: heads.get(seal.id),
      });
      if (fault) report.faults.push({ id: seal.id, fault: `the seal of ${day} ${fault}` });
      if (seal.jws !== null) {
        previous.set(seal.id, seal.jws);
        report.checked += 1;
      }
    }
    day = dayAfter(day);
  }
  return report;
}

async function firstDay(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ day: string | null }>(
    `select min((created_at at time zone 'UTC')::date)::text as day from tenants`,
  );
  return rows[0]?.day ?? null;
}

async function readDay(
  pool: pg.Pool,
  day: string,
): Promise<{ seals: TenantSeal[]; heads: Map<string, DayHeads> }> {
  return await inTransaction(pool, async (tx) => {
    const { rows: seals } = await tx.query<TenantSeal>(
      `select t.id, s.jws from tenants t left join event_seals s on s.tenant_id = t.id and s.day = $1
       where (t.created_at at time zone 'UTC')::date <= $1 or s.jws is not null`,
      [day],
    );
    const ids = seals.map(({ id }) => id);
    return { seals, heads: await readDayHeads(tx, day, ids) };
  });
}

interface SealOfDay extends TenantSeal {
  day: string;
  /** The seal of the day before, or the last one before a gap. */
  previous: string | undefined;
  heads: DayHeads | undefined;
}

function sealFault({ vault }: SealLogs, { id, day, jws, previous, heads }: SealOfDay): string | null {
  if (jws === null) return 'is missing';
  const text = vault.seals.open(jws);
  if (text === null) return 'was not signed by this deployment';
  const stated = readStatement(text);
  if (stated.tenantId !== id || stated.day !== day) return 'is that of another tenant or day';
  if (stated.previous !== (previous === undefined ? null : hashOfSeal(previous)))
    return 'does not follow the seal before';
  if (stated.heads !== heads?.heads || stated.root !== heads.root)
    return `does not fit the events of that day: ${heads?.heads ?? 0} records have some, ${stated.heads} were sealed`;
  return null;
}
