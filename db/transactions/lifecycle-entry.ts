import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { NewOutboxEntry } from '../outbox.ts';

type LifecycleSubject = Pick<TransactionRecord, 'id' | 'tenantId' | 'asset'> &
  Partial<Pick<TransactionRecord, 'direction'>>;

/** Lets the record's lifecycle workflow look again. The summary names the kind of transfer, nobody in it. */
export function lifecycleEntry({ id, tenantId, asset, direction }: LifecycleSubject): NewOutboxEntry {
  return {
    tenantId,
    workflow: 'transactionLifecycle',
    subjectId: id,
    summary: `${direction === 'INCOMING' ? 'Deposit of' : 'Outgoing'} ${asset}`,
  };
}
