import { SYSTEM } from '../events/actor.ts';
import { NO_CHANGE, type PairChange } from '../transactions/change.ts';
import type { TransactionRecord, WithdrawalStage } from '../transactions/record.ts';

const STAGES: readonly WithdrawalStage[] = ['UNTOLD', 'ANSWERED', 'TOLD'];

const MESSAGES: Record<WithdrawalStage, string> = {
  UNTOLD:
    'The beneficiary VASP may have this message: no answer to the inquiry arrived. It is told of the withdrawal once it answers.',
  ANSWERED: 'The beneficiary VASP has answered the inquiry after the withdrawal: it has this message.',
  TOLD: 'The beneficiary VASP was told of the withdrawal.',
};

/** Whether a message was withdrawn before its delivery was known: nobody but the other VASP can say whether it has the inquiry. */
export function isWithdrawnUnknown({ status, pairId }: TransactionRecord): boolean {
  return status === 'CANCELLED' && pairId === null;
}

/** The withdrawn message with what is known now of its inquiry, which the log says once. */
export function withdrawalKnown(own: TransactionRecord, stage: WithdrawalStage, now: Date): PairChange {
  const { withdrawal } = own.personal;
  const isKnown = withdrawal !== undefined && STAGES.indexOf(withdrawal) >= STAGES.indexOf(stage);
  if (!isWithdrawnUnknown(own) || isKnown) return NO_CHANGE;
  const change = {
    after: { ...own, updatedAt: now, personal: { ...own.personal, withdrawal: stage } },
    events: [{ type: `WITHDRAWAL_${stage}`, message: MESSAGES[stage], actor: SYSTEM }],
    notify: false,
    wakesWorkflow: false,
  };
  return { own: change, counterpart: null, forwarded: null };
}
