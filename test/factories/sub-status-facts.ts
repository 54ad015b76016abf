import { DIRECTIONS } from '../../domain/direction.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { STATUSES } from '../../domain/transactions/state.ts';
import { NOW, transactionRecord } from './transaction-record.ts';

const BRAKE = '019aa000-0000-7000-8000-000000000001';

/** Both sides of each fact from which the subStatus follows. */
export const FACTS = {
  direction: DIRECTIONS,
  status: STATUSES,
  blockedBy: [null, 'RULE', 'REVIEW'],
  sealed: [false, true],
  hold: [null, 'RULE'],
  ruleWaitUntil: [null, NOW],
  isScreeningDelayed: [false, true],
  awaitsProof: [false, true],
  routingFault: [null, 'VASP_NOT_FOUND', 'VASP_NOT_REACHABLE'],
  expiredAt: [null, NOW],
  transactionHash: [null, 'abc'],
} as const;

/** The kinds of wallets on both ends, with the way that the message came: the self-hosted ones and the others. */
export const WALLET_KINDS = [
  { destinationType: 'CUSTODIAL', originType: 'CUSTODIAL', messageSource: null },
  { destinationType: 'NON_CUSTODIAL', originType: 'CUSTODIAL', messageSource: null },
  { destinationType: 'CUSTODIAL', originType: 'NON_CUSTODIAL', messageSource: null },
  { destinationType: 'CUSTODIAL', originType: 'NON_CUSTODIAL', messageSource: 'MANUAL' },
  { destinationType: 'CUSTODIAL', originType: 'NON_CUSTODIAL', messageSource: 'NATIVE' },
] as const;

/**
 * Records with every combination of these facts, also of those that no writer makes; the delivered ones once more while data
 * is asked for, the unsent ones once more while a brake is on. Their screening is done.
 */
export function eachCombination(): TransactionRecord[] {
  let combinations: Partial<TransactionRecord>[] = [...WALLET_KINDS];
  for (const [name, values] of Object.entries(FACTS)) {
    combinations = combinations.flatMap((facts) => values.map((value) => ({ ...facts, [name]: value })));
  }
  const asked = combinations
    .filter(({ status }) => status === 'DELIVERED')
    .map((facts) => ({ ...facts, repairDeadlineAt: NOW }));
  const paused = combinations
    .filter(({ status, direction }) => status === 'PENDING' && direction === 'OUTGOING')
    .map((facts) => ({ ...facts, pausedBy: BRAKE }));
  const record = transactionRecord();
  return [...combinations, ...asked, ...paused].map((facts) => ({ ...record, ...facts }));
}
