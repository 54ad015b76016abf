import { viewPartnerTransaction } from '../partners/view-transaction.ts';
import { completenessOf } from '../transactions/completeness.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import { openRepair } from '../transactions/repair.ts';
import type { PortalMessage } from './schema.ts';

/** A record of the gateway of e-mail as the portal shows it; the personal data is there once it is not sealed. */
export function viewMessage(record: TransactionRecord): PortalMessage {
  const { reference: _reference, ...view } = viewPartnerTransaction(record);
  return {
    ...view,
    completeness: completenessOf(record),
    requestedFields: openRepair(record)?.fields ?? [],
  };
}
