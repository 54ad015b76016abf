import type { Queryable } from '../../db/postgres.ts';
import { findTransactionByReference } from '../../db/transactions/find-transaction.ts';
import { DomainError } from '../../domain/errors.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';

/** The error for a reference that is in use. It contains the id of the other transaction, unless that was deleted. */
export async function referenceTaken(
  db: Queryable,
  { tenantId, reference }: Pick<TransactionRecord, 'tenantId' | 'reference'>,
): Promise<DomainError> {
  const id = await findTransactionByReference(db, tenantId, reference ?? '');
  return new DomainError(
    'conflict',
    'A transaction with this reference already exists.',
    id ? { members: { id } } : {},
  );
}
