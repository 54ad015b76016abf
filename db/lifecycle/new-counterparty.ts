import { canonicalJson } from '../../domain/canonical-json.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import {
  isPassedSince,
  isPassedUnscreened,
  screeningPending,
  unscreenedPass,
} from '../../domain/transactions/screening-due.ts';
import type { OpenNetworks } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import {
  comparedWith,
  counterpartyNamesSql,
  hasNewName,
  mayBeBehind,
} from '../transactions/compared-names.ts';
import { findLatestScreening } from '../transactions/get-screening.ts';
import type { OpenTransaction } from '../transactions/row.ts';
import { wake } from '../transactions/wake.ts';
import type { OutboxEntry } from '../outbox.ts';
import { counterpartyOf } from './resolve-counterparty.ts';
import { isUncompared } from './uncompared.ts';

/**
 * Whether a message that a reviewer has let pass would go to another VASP than the one that was seen last, or was not compared at all
 * and can be now: neither lists nor rules nor the tenant's policy have seen that, and the reviewer has not either.
 */
export async function isToDecideAnew(
  db: { pool: Queryable },
  open: OpenTransaction,
  entityId: string | null,
): Promise<boolean> {
  if (await isUncompared(db.pool, open.record)) return true;
  return entityId !== null && (await isUnseenVasp(db, open, entityId));
}

/**
 * Whether this VASP is not the one that was seen last: by the latest screening, or by the reviewer who has let the message pass without
 * one since. Reviews of earlier releases do not say whom they have seen: they count for the next step.
 */
async function isUnseenVasp(
  db: { pool: Queryable },
  open: OpenTransaction,
  entityId: string,
): Promise<boolean> {
  const screening = await findLatestScreening(db, open);
  const pass = unscreenedPass(open.record);
  if (screening && !isPassedSince(pass, screening))
    return screening.counterparty?.entityId !== (await masterOf(db.pool, entityId));
  const seen = pass?.vaspEntityId;
  return seen === undefined ? !isPassedUnscreened(open.record) : seen !== (await masterOf(db.pool, entityId));
}

/**
 * What the latest screening of a transfer has not seen. ANEW: nothing of it was compared, and can be now, or the other VASP is
 * another one, which only the route of a message or the name in an own record can tell. NAME: the directory has another name of the
 * VASP. A message that has failed is asked as if it were routed.
 */
export async function isBehindScreening(
  db: OpenNetworks,
  queryable: Queryable,
  open: OpenTransaction,
): Promise<'ANEW' | 'NAME' | null> {
  const { record } = open;
  const pool = queryable;
  if (await isRecheckToDecideAnew(db, pool, open)) return 'ANEW';
  if (!mayBeBehind(record)) return null;
  if (await isUncompared(pool, record)) return 'ANEW';
  const { entityId } = await expectedCounterparty(db, pool, record);
  if (entityId === null) return null;
  if (record.pairId === null && (await isAnotherVasp({ pool }, open, entityId))) return 'ANEW';
  return (await hasNewName({ pool }, open, entityId)) ? 'NAME' : null;
}

/**
 * The same of a transfer without a pair. Of one that is no message to be sent its reviewer has seen no receiver; what is held
 * (for its mailbox) is asked once more before it is sent, when it can wait for a reviewer without lists again.
 */
async function isAnotherVasp(
  db: { pool: Queryable },
  open: OpenTransaction,
  entityId: string,
): Promise<boolean> {
  const { direction, status, hold } = open.record;
  const isUnsent = direction === 'OUTGOING' && hold === null && (status === 'PENDING' || status === 'FAILED');
  if (isUnsent && unscreenedPass(open.record)) return await isUnseenVasp(db, open, entityId);
  const screening = await comparedWith(db, open);
  return screening !== null && screening.counterparty?.entityId !== (await masterOf(db.pool, entityId));
}

/** Whether an unsent message that is only due for the lists has another counterparty: rules and policy have not seen it. */
export async function isRecheckToDecideAnew(
  db: OpenNetworks,
  pool: Queryable,
  open: OpenTransaction,
): Promise<boolean> {
  const { direction, status, screeningState, hold } = open.record;
  const isReleased = screeningState === 'RECHECK' && hold === null;
  if (!isReleased || direction !== 'OUTGOING' || status !== 'PENDING') return false;
  const { entityId } = await counterpartyOf(pool, open.record, db);
  return await isToDecideAnew({ pool }, open, entityId);
}

/** The other VASP as screenings name it, null where nobody is known, with its names as the directory has them now. */
export interface DescribedVasp {
  entityId: string | null;
  names: readonly string[];
}

const NOBODY: DescribedVasp = { entityId: null, names: [] };

/** Reads the other VASP of a transfer, in a form that can be compared. */
export async function describeVasp(
  db: OpenNetworks,
  pool: Queryable,
  record: TransactionRecord,
): Promise<DescribedVasp> {
  const { entityId } = await expectedCounterparty(db, pool, record);
  if (entityId === null) return NOBODY;
  const { rows } = await pool.query<DescribedVasp>({
    name: 'describe-counterparty',
    text: `select coalesce(master_entity_id, id) as "entityId", ${counterpartyNamesSql('$1')} as names from entities where id = $1`,
    values: [entityId],
  });
  return rows[0] ?? NOBODY;
}

/** Throws screening_pending where a request lets a transfer pass whose VASP is not the one that it has looked at: `described`. */
export async function requireSameVasp(
  db: OpenNetworks,
  tx: Queryable,
  { written, described }: { written: TransactionRecord; described: DescribedVasp | null },
): Promise<void> {
  if (described === null || !mayBeBehind(written)) return;
  const vasp = await describeVasp(db, tx, written);
  if (canonicalJson(vasp) !== canonicalJson(described)) throw screeningPending();
}

/** Throws screening_pending where the VASP of a transfer is not the entity `judgedId` any more with which a request has judged its data. */
export async function requireJudgedVasp(
  db: OpenNetworks,
  tx: Queryable,
  { written, judgedId }: { written: TransactionRecord; judgedId: string | null },
): Promise<void> {
  const { entityId } = await expectedCounterparty(db, tx, written);
  const masterId = entityId === null ? null : ((await masterOf(tx, entityId)) ?? null);
  if (masterId !== judgedId) throw screeningPending();
}

/** The counterparty of a transfer; of a message that has failed the one that it would be routed to. */
async function expectedCounterparty(db: OpenNetworks, pool: Queryable, record: TransactionRecord) {
  const isFailed = record.status === 'FAILED';
  return await counterpartyOf(pool, isFailed ? { ...record, status: 'PENDING' } : record, db);
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
export async function wakeAnew(
  tx: Queryable,
  { tenantId, id, version }: TransactionRecord,
  now: Date,
): Promise<OutboxEntry[]> {
  const where = `t.tenant_id = $2 and t.id = $3 and t.version = $4 and t.direction = 'OUTGOING' and t.status = 'PENDING'
    and t.deleted_at is null`;
  return await wake(tx, { where, values: [tenantId, id, version] }, { screenAgain: 'ANEW', now });
}
