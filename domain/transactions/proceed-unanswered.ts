import { DomainError } from '../errors.ts';
import type { Actor } from '../events/actor.ts';
import type { PairChange } from './change.ts';
import type { TransactionRecord } from './record.ts';
import { needsScreening, screeningPending } from './screening-due.ts';
import { isSelfHosted } from './self-hosted-wallet.ts';
import { isFinal } from './state.ts';

/**
 * Records the tenant's decision that the coins go without an answer of the beneficiary VASP. Status and outcome stay as they are,
 * and an answer is still taken. Throws 409 where nobody is to answer, or where something else stands against the transfer.
 */
export function proceedUnanswered(
  own: TransactionRecord,
  { reason, actor, now }: { reason: string; actor: Actor; now: Date },
): PairChange {
  refuse(own);
  return {
    own: {
      after: {
        ...own,
        sunriseOverrideAt: now,
        updatedAt: now,
        personal: { ...own.personal, sunriseReason: reason },
      },
      events: [
        {
          type: 'SUNRISE_OVERRIDE',
          message: 'It was decided that the coins go without an answer.',
          actor,
          data: { status: own.status, routingFault: own.routingFault },
        },
      ],
      notify: true,
      wakesWorkflow: false,
    },
    counterpart: null,
    forwarded: null,
  };
}

function refuse(own: TransactionRecord): void {
  const { status, hold, blockedBy, ruleWaitUntil } = own;
  const isAwaited = own.direction === 'OUTGOING' && !isSelfHosted(own) && !isFinal(status);
  if (!isAwaited || own.sunriseOverrideAt !== null || blockedBy !== null)
    throw new DomainError(
      'invalid_transition',
      'This transaction does not wait for an answer of another VASP.',
      {
        members: { allowed: [] },
      },
    );
  if (hold !== null || ruleWaitUntil !== null || own.transferStop !== null)
    throw new DomainError(
      'review_required',
      'It is held, or waits for a rule: only a review (POST /transactions/{id}/review) lets it pass.',
    );
  if (status === 'FAILED' && (own.blockedHold !== null || wasUnscreened(own))) throw retryFirst();
  if (needsScreening(own)) throw screeningPending();
}

/** The refusal of one that has failed and was not compared with what is known now: nothing screens it any more. */
export function retryFirst(): DomainError {
  return new DomainError(
    'review_required',
    'It was held, or not screened with the present lists, when its time was over: POST /transactions/{id}/retry screens it again first.',
  );
}

/** Whether its time was over before its screening, be it the one for its next routing. */
function wasUnscreened({ screeningState }: TransactionRecord): boolean {
  return screeningState === 'DUE' || screeningState === 'RECHECK';
}
