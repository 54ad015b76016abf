import { oldestKept } from '../../domain/reports/month.ts';
import type { Queryable } from '../postgres.ts';

/** How long a replaced file stays, for links and downloads that are under way. */
const REPLACED_FOR = '10 minutes';
const BATCH = 100;

interface RemovedRow {
  id: string;
  object_key: string | null;
}

/** The storage did not delete some files; `cause` is why it did not delete the first of them. */
class ReportsNotRemoved extends Error {}

/**
 * Removes reports of months that are no longer listed, replaced files, and reports that were given up. Safe to repeat. Returns
 * their number. Throws ReportsNotRemoved, after each was tried once, if the storage did not delete some.
 */
export async function removeOldReports(
  db: Queryable,
  deleteObject: (key: string) => Promise<void>,
  now: Date,
): Promise<number> {
  await markOldReports(db, now);
  const failures: unknown[] = [];
  let removed = 0;
  let last: string | null = null;
  do {
    const rows: RemovedRow[] = await readRemoved(db, last);
    for (const row of rows) {
      try {
        await removeReport(db, deleteObject, row);
        removed += 1;
      } catch (error) {
        failures.push(error);
      }
    }
    last = rows.at(-1)?.id ?? null;
  } while (last !== null);
  if (failures.length > 0) throw notRemoved(failures);
  return removed;
}

async function readRemoved(db: Queryable, after: string | null): Promise<RemovedRow[]> {
  const { rows } = await db.query<RemovedRow>(
    `select id, object_key from monthly_reports where state = 'REMOVING' and ($1::uuid is null or id > $1)
     order by id limit ${BATCH}`,
    [after],
  );
  return rows;
}

function notRemoved(failures: readonly unknown[]): ReportsNotRemoved {
  const text = `${failures.length} reports could not be removed from the storage`;
  return new ReportsNotRemoved(text, { cause: failures[0] });
}

async function markOldReports(db: Queryable, now: Date): Promise<void> {
  await db.query(`update monthly_reports set state = 'REMOVING' where state = 'STORED' and month < $1`, [
    oldestKept(now),
  ]);
  await db.query(
    `update monthly_reports set state = 'REMOVING'
     where state = 'REPLACED' and replaced_at < now() - interval '${REPLACED_FOR}'`,
  );
}

/** Deletes the object before its row: without the row nobody would find the object. */
async function removeReport(
  db: Queryable,
  deleteObject: (key: string) => Promise<void>,
  { id, object_key: objectKey }: RemovedRow,
): Promise<void> {
  if (objectKey !== null) await deleteObject(objectKey);
  await db.query(`delete from monthly_reports where id = $1 and state = 'REMOVING'`, [id]);
}
