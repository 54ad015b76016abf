import type { Actor } from '../../events/actor.ts';
import { foldName } from '../../fold.ts';
import type { PairChange, RecordChange } from '../change.ts';
import { followedBy } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { markForScreening, needsScreening } from '../screening-due.ts';

/** More names than these are not kept: a transfer takes three claims a day. */
const MAX_NAMES = 20;

/**
 * Whether a claim asks a VASP by a name that the record of its transfer does not have. Alike is not the same: one of two names
 * that are alike may be on a list.
 */
export function isAskedByOtherName({ personal }: TransactionRecord, asked: string | null): asked is string {
  const names = [personal.vaspInfo.originatorVaspName, ...(personal.claimedVaspNames ?? [])];
  return asked !== null && !names.some((name) => name !== null && foldName(name) === foldName(asked));
}

/** The change of a tenant's own record with the name by which a claim asks a VASP, which is screened then. */
export function withAskedName(
  change: PairChange,
  own: TransactionRecord,
  { asked, actor, now }: { asked: string | null; actor: Actor; now: Date },
): PairChange {
  const record = change.own?.after ?? own;
  if (!isAskedByOtherName(record, asked)) return change;
  const claimedVaspNames = [...(record.personal.claimedVaspNames ?? []), asked].slice(-MAX_NAMES);
  const named = { ...record, updatedAt: now, personal: { ...record.personal, claimedVaspNames } };
  const after = record.screeningState === null ? named : markForScreening(named, now);
  const added: RecordChange = {
    after,
    events: [
      {
        type: 'CLAIM_NAMES_VASP',
        message: 'A claim of this transfer asks the originator VASP by another name, which is screened, too.',
        actor,
      },
    ],
    notify: false,
    wakesWorkflow: needsScreening(after),
  };
  return { ...change, own: change.own ? followedBy(change.own, added) : added };
}
