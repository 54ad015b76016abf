import { notFound } from '../../domain/errors.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Database } from '../database.ts';
import type { RecordRow } from '../records/record-table.ts';
import { READ_COLUMNS, transactionTable, type OpenTransaction } from './row.ts';
import type { Queryable } from '../postgres.ts';

/** Reads a tenant's record; undefined when it does not exist, is deleted or belongs to another tenant. */
export async function findTransaction(
  db: Database,
  tenantId: string,
  id: string,
): Promise<TransactionRecord | undefined> {
  return (await findOpenTransaction(db, tenantId, id))?.record;
}

/** Like findTransaction, with the record's key, for sealing further data under it. */
export async function findOpenTransaction(
  db: Database,
  tenantId: string,
  id: string,
): Promise<OpenTransaction | undefined> {
  return await findOpenTransactionIn(db, db.pool, tenantId, id);
}

/** Like findOpenTransaction, for a record that its tenant has deleted. */
export async function findDeletedTransaction(
  db: Database,
  tenantId: string,
  id: string,
): Promise<OpenTransaction | undefined> {
  const { rows } = await db.pool.query<RecordRow>(
    `select ${READ_COLUMNS} from transactions where tenant_id = $1 and id = $2 and deleted_at is not null`,
    [tenantId, id],
  );
  return rows[0] && (await openRow(db, rows[0]));
}

async function findOpenTransactionIn(
  db: Database,
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<OpenTransaction | undefined> {
  const { rows } = await tx.query<RecordRow>({
    name: 'find-transaction',
    text: `select ${READ_COLUMNS} from transactions where tenant_id = $1 and id = $2 and deleted_at is null`,
    values: [tenantId, id],
  });
  const row = rows[0];
  return row && (await openRow(db, row));
}

/** Like findTransaction, but throws not_found. */
export async function getTransaction(db: Database, tenantId: string, id: string): Promise<TransactionRecord> {
  const record = await findTransaction(db, tenantId, id);
  if (!record) throw notFound('transaction');
  return record;
}

/** Reads a tenant's record, deleted or not. Throws not_found, also once it is erased. */
export async function getKeptTransaction(
  db: Database,
  tenantId: string,
  id: string,
): Promise<TransactionRecord> {
  const { rows } = await db.pool.query<RecordRow>(
    `select ${READ_COLUMNS} from transactions where tenant_id = $1 and id = $2 and erased_at is null`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('transaction');
  return (await openRow(db, rows[0])).record;
}

/** Like findTransaction, inside a database transaction. */
export async function findTransactionIn(
  db: Database,
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<TransactionRecord | undefined> {
  return (await findOpenTransactionIn(db, tx, tenantId, id))?.record;
}

/** Whether the tenant has the record and has not deleted it. */
export async function hasTransaction(db: Queryable, tenantId: string, id: string): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from transactions where tenant_id = $1 and id = $2 and deleted_at is null',
    [tenantId, id],
  );
  return rows.length > 0;
}

/** The tenant of a deleted record; undefined when there is no such record, or it is not deleted. */
export async function findDeletedTransactionTenant(db: Queryable, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ tenant_id: string }>(
    'select tenant_id from transactions where id = $1 and deleted_at is not null',
    [id],
  );
  return rows[0]?.tenant_id;
}

/** The id of the tenant's record with its own reference; undefined when there is none or it was deleted. */
export async function findTransactionByReference(
  db: Queryable,
  tenantId: string,
  reference: string,
): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>(
    'select id from transactions where tenant_id = $1 and reference = $2 and deleted_at is null',
    [tenantId, reference],
  );
  return rows[0]?.id;
}

/** Whether a reference cannot be used again: that of a deleted transaction stays taken. */
export async function isReferenceTaken(db: Queryable, tenantId: string, reference: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'is-reference-taken',
    text: 'select 1 from transactions where tenant_id = $1 and reference = $2',
    values: [tenantId, reference],
  });
  return rowCount !== 0;
}

/** Reads a record by its id alone, for its workflow, which knows nothing else. Undefined when it is deleted. */
export async function findTransactionOfWorkflow(
  db: Database,
  id: string,
): Promise<OpenTransaction | undefined> {
  const { rows } = await db.pool.query<RecordRow>({
    name: 'find-transaction-of-workflow',
    text: `select ${READ_COLUMNS} from transactions where id = $1 and deleted_at is null`,
    values: [id],
  });
  return rows[0] && (await openRow(db, rows[0]));
}

/** Reads a record, deleted or not, and locks it until the end of the transaction. Undefined once it is erased. */
export async function lockTransaction(
  db: Database,
  tx: Queryable,
  tenantId: string,
  id: string,
): Promise<OpenTransaction | undefined> {
  const { rows } = await tx.query<RecordRow>({
    name: 'lock-transaction',
    text: `select ${READ_COLUMNS} from transactions where tenant_id = $1 and id = $2 and erased_at is null for no key update`,
    values: [tenantId, id],
  });
  return rows[0] && (await openRow(db, rows[0]));
}

/** Decrypts a stored row with the keys of its tenant. */
export async function openRow(db: Database, row: RecordRow): Promise<OpenTransaction> {
  return transactionTable.open(row, await db.vault.tenantKeys(row.tenant_id, [row.record_key]));
}
