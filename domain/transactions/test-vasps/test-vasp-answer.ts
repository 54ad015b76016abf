import { SYSTEM } from '../../events/actor.ts';
import type { TestBehaviour } from '../../tenants/test-vasps.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { patchTransaction } from '../patch-transaction.ts';
import type { TransactionRecord } from '../record.ts';
import type { PatchTransactionBody } from '../schema.ts';
import { isFinal } from '../state.ts';

const ANSWERS: Record<TestBehaviour, PatchTransactionBody | null> = {
  CONFIRMS: { status: 'CONFIRMED' },
  DECLINES: {
    status: 'DECLINED',
    statusReasoning: 'Declined by the test VASP',
    statusReasonCode: 'OTHER',
  },
  SILENT: null,
};

/** The decision of a test VASP on its own record, applied like a tenant's PATCH. */
export function testVaspAnswer(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  behaviour: TestBehaviour,
  now: Date,
): PairChange {
  const answer = ANSWERS[behaviour];
  // The originator may have withdrawn it already.
  if (!answer || isFinal(own.status)) return NO_CHANGE;
  return patchTransaction(own, counterpart, answer, { actor: SYSTEM, now });
}
