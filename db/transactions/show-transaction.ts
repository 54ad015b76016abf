import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Transaction } from '../../domain/transactions/schema.ts';
import {
  unnamedVaspId,
  viewTransaction,
  type ViewContext,
} from '../../domain/transactions/viewing/view-transaction.ts';
import type { Database } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import { findHolderNames } from '../wallet-holders/holder-names.ts';

/** The response body for a record, with what other tables say of it. */
export async function showTransaction(
  db: Database,
  tx: Queryable,
  record: TransactionRecord,
  ownEntityId: string,
): Promise<Transaction> {
  return viewTransaction(record, ownEntityId, await viewContext(db, tx, [record]));
}

/** The names of the VASPs that were found for records, and of the holders of their destinations. */
export async function viewContext(
  db: Database,
  tx: Queryable,
  records: readonly TransactionRecord[],
): Promise<Required<Pick<ViewContext, 'vaspNames' | 'holderNames'>>> {
  return {
    vaspNames: await foundVaspNames(tx, records),
    holderNames: await findHolderNames(db, tx, records),
  };
}

/** Names of the VASPs that were found for records that name none, by entity id. */
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
