import { COUNTERPARTY } from '../events/actor.ts';
import { patchMessage } from '../partners/patch-message.ts';
import type { Party } from '../parties/party.ts';
import { followedBy, type PairChange, type RecordChange } from '../transactions/change.ts';
import { withBeneficiarySaid } from '../transactions/exchanging/beneficiary-said.ts';
import { patchTransaction } from '../transactions/changing/patch-transaction.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import type { AnswerMessageBody } from './schema.ts';

/**
 * What a VASP says of a message on the portal: that the destination is its own, what it knows of the beneficiary, and its
 * answer, in this order. `own` is the record of the gateway. Throws what `patchTransaction` throws.
 */
export function answerMessage(
  own: TransactionRecord,
  counterpart: TransactionRecord | null,
  { destinationConfirmed, beneficiary, ...decision }: AnswerMessageBody,
  now: Date,
): PairChange {
  const parts: Step[] = [
    ...(destinationConfirmed
      ? [(one: Sides) => patchMessage(one.own, one.counterpart, { destinationConfirmed }, now)]
      : []),
    ...(beneficiary ? [(one: Sides) => giveBeneficiary(one, beneficiary, now)] : []),
    ...(decision.status === undefined
      ? []
      : [(one: Sides) => patchMessage(one.own, one.counterpart, decision, now)]),
  ];
  return inTurn({ own, counterpart }, parts);
}

interface Sides {
  own: TransactionRecord;
  counterpart: TransactionRecord | null;
}

type Step = (sides: Sides) => PairChange;

/** Changes one after the other, as one change of both records. */
function inTurn(sides: Sides, steps: readonly Step[]): PairChange {
  let all: PairChange = { own: null, counterpart: null, forwarded: null };
  for (const step of steps) {
    const next = step({
      own: all.own?.after ?? sides.own,
      counterpart: all.counterpart?.after ?? sides.counterpart,
    });
    all = {
      own: joined(all.own, next.own),
      counterpart: joined(all.counterpart, next.counterpart),
      forwarded: next.forwarded ?? all.forwarded,
    };
  }
  return all;
}

function joined(first: RecordChange | null, second: RecordChange | null): RecordChange | null {
  return first ? followedBy(first, second) : second;
}

/** Stores what the VASP says of the beneficiary with its own record, and beside the sender's. */
function giveBeneficiary({ own, counterpart }: Sides, beneficiary: Party, now: Date): PairChange {
  const { own: change } = patchTransaction(own, null, { beneficiary }, { actor: COUNTERPARTY, now });
  const said = counterpart && withBeneficiarySaid(counterpart, beneficiary, now);
  return { own: change, counterpart: said, forwarded: null };
}
