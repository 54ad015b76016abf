import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { NewPoke } from '../outbox.ts';

/** Lets the record's lifecycle workflow look again. The summary names the kind of transfer, nobody in it. */
export function lifecyclePoke(record: Pick<TransactionRecord, 'id' | 'tenantId' | 'asset'>): NewPoke {
  return {
    tenantId: record.tenantId,
    workflow: 'transactionLifecycle',
    subjectId: record.id,
    summary: `Outgoing ${record.asset}`,
  };
}
