import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import { unnamedVaspId, viewTransaction } from '../../domain/transactions/viewing/view-transaction.ts';
import type { Queryable } from '../postgres.ts';

/** The response body for a record, with the name of the VASP that was found for it. */
export async function showTransaction(
  db: Queryable,
  record: TransactionRecord,
  ownEntityId: string,
): Promise<Transaction> {
  return viewTransaction(record, ownEntityId, { vaspNames: await foundVaspNames(db, [record]) });
}

/** By entity id, the names of the VASPs that were found for those of the records that name none. */
export async function foundVaspNames(
  db: Queryable,
  records: readonly TransactionRecord[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(records.flatMap((record) => unnamedVaspId(record) ?? []))];
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; name: string }>({
    name: 'names-of-found-vasps',
    text: 'select id, name from entities where id = any($1::uuid[])',
    values: [ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
