import { DAY_MS, addMs } from '../../durations.ts';
import { SYSTEM } from '../../events/actor.ts';
import type { TestBehaviour } from '../../tenants/test-vasps.ts';
import { NO_CHANGE, type PairChange } from '../change.ts';
import { lacksField } from '../completeness.ts';
import { patchTransaction } from '../changing/patch-transaction.ts';
import type { TransactionRecord } from '../record.ts';
import type { RepairField } from '../repair-request.ts';
import { isRepairOpen } from '../repair.ts';
import { requestRepair } from '../changing/request-repair.ts';
import type { PatchTransactionBody } from '../schema.ts';
import { isFinal } from '../state.ts';

const CONFIRMED: PatchTransactionBody = { status: 'CONFIRMED' };

const ANSWERS: Record<Exclude<TestBehaviour, 'REPAIRS'>, PatchTransactionBody | null> = {
  CONFIRMS: CONFIRMED,
  DECLINES: {
    status: 'DECLINED',
    statusReasoning: 'Declined by the test VASP',
    statusReasonCode: 'OTHER',
  },
  SILENT: null,
  LATE: CONFIRMED,
  MISMATCHES: {
    status: 'DECLINED',
    statusReasoning: 'The beneficiary is not the holder of this account',
    statusReasonCode: 'NAME_MISMATCH',
  },
  SENDS: CONFIRMED,
  FORGES: CONFIRMED,
};

const INCOMPLETE: PatchTransactionBody = {
  status: 'DECLINED',
  statusReasoning: 'The data that the test VASP asked for was not given',
  statusReasonCode: 'MISSING_DATA',
};

/** How long the late test VASP takes. */
export const LATE_MS = 30_000;
/** How much time the repairing one gives. */
const REPAIR_MS = 3 * DAY_MS;

const ASKED: readonly RepairField[] = ['originator.dateOfBirth', 'originator.placeOfBirth'];

/** When a test VASP answers a message that it received at the given time. */
export function answersAt(behaviour: TestBehaviour, receivedAt: Date): Date {
  return behaviour === 'LATE' ? addMs(receivedAt, LATE_MS) : receivedAt;
}

/** What a test VASP does with its own record, applied like the request of a tenant. */
export function testVaspAnswer(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  behaviour: TestBehaviour,
  now: Date,
): PairChange {
  // The originator may have withdrawn it already.
  if (isFinal(own.status)) return NO_CHANGE;
  const act = { actor: SYSTEM, now };
  if (behaviour === 'REPAIRS') return repairing(own, counterpart, now);
  const answer = ANSWERS[behaviour];
  return answer ? patchTransaction(own, counterpart, answer, act) : NO_CHANGE;
}

/** Asks once for what is missing, and decides when that was given or its time is over. */
function repairing(own: TransactionRecord, counterpart: TransactionRecord | null, now: Date): PairChange {
  const act = { actor: SYSTEM, now };
  const fields = ASKED.filter((field) => lacksField(own, field));
  if (fields.length === 0) return patchTransaction(own, counterpart, CONFIRMED, act);
  if (isRepairOpen(own)) return NO_CHANGE;
  // The test VASP's record has changed since the message came, so it has asked before.
  if (own.version > 1) return patchTransaction(own, counterpart, INCOMPLETE, act);
  const deadlineAt = addMs(now, REPAIR_MS);
  const reason = 'The test VASP cannot tell the originator from another person';
  return requestRepair(own, counterpart, { ...act, fields, reason, deadlineAt });
}
