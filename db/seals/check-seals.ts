import type pg from 'pg';
import { dayAfter, FIRST_DAY, lastSealedDay } from '../../domain/seals/days.ts';
import { readStatement, type SealStatement } from '../../domain/seals/seal.ts';
import { addMs, HOUR_MS } from '../../domain/durations.ts';
import { readDayAuditHeads, type DayAuditHeads } from '../audit/day-audit-heads.ts';
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
  /** The latest day of which there is a seal. */
  latest: string | null;
  faults: EventFault[];
}

interface TenantSeal {
  id: string;
  /** Null when the seal of the day is missing. */
  jws: string | null;
}

/**
 * Compares the seals of all days with the events, for every tenant from its first day on: that of its creation, of its
 * first event or of its first seal, whichever is earlier. Finds events of a sealed day that were changed, removed or
 * added, and seals that are missing, stored twice, of a day to come, not signed by this deployment or not following the
 * one before. Does not find seals that were removed from the end and made anew by a worker over other events: whoever
 * has kept the removed ones can tell.
 */
export async function checkSeals(
  db: SealLogs,
  now: Date,
  { isBackup = false }: { isBackup?: boolean } = {},
): Promise<SealReport> {
  const latest = await latestSealDay(db.pool);
  const report: SealReport = { checked: 0, latest, faults: [] };
  const previous = new Map<string, string>();
  // A worker seals within minutes; a seal that is made while this looks is not missing.
  const sealed = lastSealedDay(addMs(now, -HOUR_MS));
  const isEarlier = isBackup && latest !== null && latest < sealed;
  const last = isEarlier ? latest : sealed;
  const firstDays =
    isBackup && latest === null ? new Map<string, string>() : await readFirstDays(db.pool, last);
  let day = [...firstDays.values()].toSorted()[0] ?? null;
  while (day !== null && day <= last) {
    const { seals, heads, audit } = await readDay(db.pool, day, firstDays);
    for (const seal of seals) {
      if (isBackup && day === latest && seal.jws === null) continue;
      const fault = sealFault(db, {
        ...seal,
        day,
        previous: previous.get(seal.id),
        heads: heads.get(seal.id),
        audit: { own: audit.byTenant.get(seal.id) ?? null, operators: audit.operators },
      });
      if (fault) report.faults.push({ id: seal.id, fault: `the seal of ${day} ${fault}` });
      if (seal.jws !== null) {
        previous.set(seal.id, seal.jws);
        report.checked += 1;
      }
    }
    day = dayAfter(day);
  }
  report.faults.push(...(await sealsOfOtherDays(db.pool, now)), ...(await doubleSeals(db.pool)));
  return report;
}

/** SQL over a tenant: the time in its id (UUIDv7), of which the first 48 bits are milliseconds. */
// With its schema and the type that PostgreSQL's own function has, so that none of the same name is called in its place.
const MADE_AT = `pg_catalog.to_timestamp((('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint::float8 / 1000::float8))`;
/** SQL over a tenant: when it was created, not later than its id says, which has that time, whatever the column has. */
const CREATED = `
  case when substr(id::text, 15, 1) = '7' then least(created_at, ${MADE_AT}) else created_at end`;

/**
 * The first day of each tenant that is, has events or has seals, by the `last` day. Somebody may have moved the time of its
 * creation: where its id says that it is older, the id counts.
 */
async function readFirstDays(pool: pg.Pool, last: string): Promise<Map<string, string>> {
  const { rows } = await inTransaction(pool, async (tx) => {
    // All events are read once.
    await tx.query(`set local statement_timeout = '10min'`);
    return await tx.query<{ id: string; day: string }>(
      `select id, greatest(min(day), '${FIRST_DAY}')::text as day from (
       select id, (${CREATED} at time zone 'UTC')::date as day from tenants
       union all select tenant_id, (min(created_at) at time zone 'UTC')::date from events group by tenant_id
       union all select tenant_id, min(day) from event_seals group by tenant_id
     ) known group by id having min(day) <= $1::date order by id`,
      [last],
    );
  });
  return new Map(rows.map(({ id, day }) => [id, day]));
}

async function latestSealDay(pool: pg.Pool): Promise<string | null> {
  const { rows } = await pool.query<{ day: string | null }>('select max(day)::text as day from event_seals');
  return rows[0]?.day ?? null;
}

async function readDay(
  pool: pg.Pool,
  day: string,
  firstDays: ReadonlyMap<string, string>,
): Promise<{ seals: TenantSeal[]; heads: Map<string, DayHeads>; audit: DayAuditHeads }> {
  const ids = [...firstDays].filter(([, first]) => first <= day).map(([id]) => id);
  return await inTransaction(pool, async (tx) => {
    const { rows } = await tx.query<{ tenant_id: string; jws: string }>(
      'select tenant_id, jws from event_seals where day = $1',
      [day],
    );
    const jwsOf = new Map(rows.map(({ tenant_id, jws }) => [tenant_id, jws]));
    const seals = ids.map((id) => ({ id, jws: jwsOf.get(id) ?? null }));
    const heads = await readDayHeads(tx, day, ids);
    return { seals, heads, audit: await readDayAuditHeads(tx, day, ids) };
  });
}

/** No worker seals a day before its end, nor one before the product. */
async function sealsOfOtherDays(pool: pg.Pool, now: Date): Promise<EventFault[]> {
  const { rows } = await pool.query<{ tenant_id: string; day: string; to_come: boolean }>(
    `select tenant_id, day::text, day > $1::date as to_come from event_seals
     where day > $1::date or day < '${FIRST_DAY}' order by day, tenant_id`,
    [lastSealedDay(now)],
  );
  return rows.map(({ tenant_id, day, to_come }) => ({
    id: tenant_id,
    fault: `the seal of ${day} is of a day ${to_come ? 'to come' : 'before this product'}`,
  }));
}

/** The owner of the table can drop its key and add a seal of the same day, of which a tenant might be shown either. */
async function doubleSeals(pool: pg.Pool): Promise<EventFault[]> {
  const { rows } = await pool.query<{ tenant_id: string; day: string }>(
    `select tenant_id, day::text from event_seals group by tenant_id, event_seals.day having count(*) > 1
     order by event_seals.day, tenant_id`,
  );
  return rows.map(({ tenant_id, day }) => ({ id: tenant_id, fault: `the seal of ${day} is stored twice` }));
}

interface SealOfDay extends TenantSeal {
  day: string;
  /** The seal of the day before, or the last one before a gap. */
  previous: string | undefined;
  heads: DayHeads | undefined;
  /** The ends of the audit logs of the tenant and of the deployment. */
  audit: { own: string | null; operators: string | null };
}

function sealFault({ vault }: SealLogs, { id, day, jws, previous, heads, audit }: SealOfDay): string | null {
  if (jws === null) return 'is missing';
  const text = vault.seals.open(jws);
  if (text === null) return 'was not signed by this deployment';
  const stated = readStatement(text);
  if (stated.tenantId !== id || stated.day !== day) return 'is that of another tenant or day';
  if (stated.previous !== (previous === undefined ? null : hashOfSeal(previous)))
    return 'does not follow the seal before';
  if (stated.heads !== heads?.heads || stated.root !== heads.root)
    return `does not fit the events of that day: ${heads?.heads ?? 0} records have some, ${stated.heads} were sealed`;
  return auditFault(stated, audit);
}

/** Seals of the version before state nothing about audit logs. */
function auditFault(stated: SealStatement, { own, operators }: SealOfDay['audit']): string | null {
  if (stated.audit !== undefined && stated.audit !== own) return 'does not fit the audit log of that day';
  if (stated.operatorAudit !== undefined && stated.operatorAudit !== operators)
    return 'does not fit the log of what operators did';
  return null;
}
