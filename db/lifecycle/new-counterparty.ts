import { canonicalJson } from '../../domain/canonical-json.ts';
import { foldName } from '../../domain/fold.ts';
import { isScreenable } from '../../domain/sanctions-screening/subject.ts';
import { roleInTransfer } from '../../domain/transactions/deciding/screened-subjects.ts';
import type { TransactionScreening } from '../../domain/transactions/deciding/screening.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { isPassedUnscreened, screeningPending } from '../../domain/transactions/screening-due.ts';
import type { Database, OpenNetworks } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { findLatestScreening } from '../transaction-screenings/get-screening.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { wake } from '../transactions/wake.ts';
import type { OutboxEntry } from '../outbox.ts';
import { counterpartyOf } from './resolve-counterparty.ts';
import { counterpartyNamesSql } from './stored-facts.ts';

/**
 * Whether a message that a reviewer has let pass would go to another VASP than the one of its latest screening: neither
 * lists nor rules nor the tenant's policy have seen that one, and the reviewer has not either.
 */
export async function hasNewCounterparty(
  db: Database,
  open: OpenTransaction,
  entityId: string | null,
): Promise<boolean> {
  if (entityId === null || isPassedUnscreened(open.record)) return false;
  const screening = await findLatestScreening(db, open);
  return screening?.counterparty?.entityId !== (await masterOf(db.pool, entityId));
}

const VASP_ROLES = new Set(['originatorVasp', 'beneficiaryVasp']);

/**
 * Whether the directory has got a name of the other VASP, or of a duplicate of it, since the transfer was screened: neither the
 * lists nor a reviewer have seen that one. A message that is to be sent and held as UNSCREENED is not meant: its reviewer decides
 * without lists.
 */
export async function hasNewName(
  db: { pool: Queryable },
  open: OpenTransaction,
  entityId: string | null,
): Promise<boolean> {
  if (entityId === null || !mayBeBehind(open.record)) return false;
  const names = await namesOfChangedVasp(db.pool, open.record, entityId);
  if (names.length === 0) return false;
  const screening = await comparedWith(db, open);
  if (!screening) return false;
  const compared = new Set(comparedVaspNames(screening));
  return names.some((name) => isScreenable({ name }) && !compared.has(foldName(name)));
}

/**
 * What the directory says of the other VASP that the latest screening of a transfer has not seen: that it is another one, which
 * only the route of a message or the name in an own record can tell, or a name of it. A message that has failed is asked as if it were routed.
 */
export async function isBehindDirectory(
  db: OpenNetworks,
  queryable: Queryable,
  open: OpenTransaction,
): Promise<'COUNTERPARTY' | 'NAME' | null> {
  const { record } = open;
  if (!mayBeBehind(record)) return null;
  const pool = queryable;
  const { entityId } = await expectedCounterparty(db, pool, record);
  if (entityId === null) return null;
  const screening = record.pairId === null ? await comparedWith({ pool }, open) : null;
  if (screening && screening.counterparty?.entityId !== (await masterOf(pool, entityId)))
    return 'COUNTERPARTY';
  return (await hasNewName({ pool }, open, entityId)) ? 'NAME' : null;
}

/** The other VASP with its names as the directory has them now, as a text that can be compared. */
export async function describeVasp(
  db: OpenNetworks,
  pool: Queryable,
  record: TransactionRecord,
): Promise<string> {
  const { entityId } = await expectedCounterparty(db, pool, record);
  if (entityId === null) return canonicalJson([]);
  const { rows } = await pool.query<{ names: string[] }>({
    name: 'names-of-counterparty',
    text: `select ${counterpartyNamesSql('$1')} as names`,
    values: [entityId],
  });
  return canonicalJson([entityId, rows[0]?.names ?? []]);
}

/** Throws screening_pending where a request lets a transfer pass whose VASP is not the one that it has looked at: `described`. */
export async function requireSameVasp(
  db: OpenNetworks,
  tx: Queryable,
  { written, described }: { written: TransactionRecord; described: string | null },
): Promise<void> {
  if (described === null || !mayBeBehind(written)) return;
  if ((await describeVasp(db, tx, written)) !== described) throw screeningPending();
}

/** The counterparty of a transfer; of a message that has failed the one that it would be routed to. */
async function expectedCounterparty(db: OpenNetworks, pool: Queryable, record: TransactionRecord) {
  const isFailed = record.status === 'FAILED';
  return await counterpartyOf(pool, isFailed ? { ...record, status: 'PENDING' } : record, db);
}

/** Whether the transfer was screened, and nobody lets it pass without. */
function mayBeBehind({ screeningState, sealed, direction, status, hold }: TransactionRecord): boolean {
  const isScreened = screeningState === 'CLEARED' || screeningState === 'REVIEWED';
  const isToBeSentUnscreened = direction === 'OUTGOING' && status === 'PENDING' && hold === 'UNSCREENED';
  return isScreened && !sealed && !isToBeSentUnscreened;
}

/**
 * The latest screening that the transfer rests on; null where a reviewer has let it pass without one since, and where it named
 * nobody: such a transfer has no VASP whose names it could lack.
 */
async function comparedWith(
  db: { pool: Queryable },
  open: OpenTransaction,
): Promise<TransactionScreening | null> {
  const screening = await findLatestScreening(db, open);
  if (!screening || screening.sanctions.subjects.length === 0) return null;
  const passedAt = open.record.personal.reviews?.at(-1)?.recordVersion ?? Infinity;
  return isPassedUnscreened(open.record) && screening.recordVersion <= passedAt ? null : screening;
}

/**
 * The names in the directory of a VASP of which it has changed something since the latest screening; none of any other. An import
 * notes when it began, so a change of the hour before counts too.
 */
async function namesOfChangedVasp(
  db: Queryable,
  { tenantId, id }: TransactionRecord,
  entityId: string,
): Promise<string[]> {
  const { rows } = await db.query<{ names: string[] }>({
    name: 'names-of-changed-vasp',
    text: `select ${counterpartyNamesSql('$3')} as names
      from (select max(created_at) as at from transaction_screenings where tenant_id = $1 and transaction_id = $2) screened
      where exists (
        select from entities d
          join entities e on e.id = coalesce(d.master_entity_id, d.id) or e.master_entity_id = coalesce(d.master_entity_id, d.id)
        where d.id = $3 and e.updated_at > screened.at - interval '1 hour')`,
    values: [tenantId, id, entityId],
  });
  return rows[0]?.names ?? [];
}

/** The folded names of the other VASP that a screening has compared. */
function comparedVaspNames({ sanctions }: TransactionScreening): string[] {
  return sanctions.subjects
    .filter(({ role }) => VASP_ROLES.has(roleInTransfer(role)))
    .flatMap(({ screening }) => {
      const { name, aliases = [] } = (screening?.request ?? {}) as { name?: string; aliases?: string[] };
      return [name ?? '', ...aliases].map(foldName);
    });
}

/** The entity that a screening names for this one. */
async function masterOf(db: Queryable, entityId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>({
    name: 'master-of-entity',
    text: 'select coalesce(master_entity_id, id) as id from entities where id = $1',
    values: [entityId],
  });
  return rows[0]?.id;
}

/** Wakes a message to be screened and decided like a new one; what a reviewer has released of the lists stays released. */
export async function wakeForNewCounterparty(
  tx: Queryable,
  { tenantId, id, version }: TransactionRecord,
  now: Date,
): Promise<OutboxEntry[]> {
  const where = `t.tenant_id = $2 and t.id = $3 and t.version = $4 and t.direction = 'OUTGOING' and t.status = 'PENDING'
    and t.deleted_at is null`;
  return await wake(tx, { where, values: [tenantId, id, version] }, { screenAgain: 'ANEW', now });
}
