import { DomainError } from '../../errors.ts';
import type { Actor } from '../../events/actor.ts';
import { foldName } from '../../fold.ts';
import type { PairChange, RecordChange } from '../change.ts';
import { followedBy } from '../change.ts';
import type { TransactionRecord } from '../record.ts';
import { markForScreening, needsScreening } from '../screening-due.ts';

/** All names stay with the record and are screened each time, so there is an end of them. */
const MAX_NAMES = 20;
const TOO_MANY_NAMES = `The claims of this transfer have asked its originator VASP by ${MAX_NAMES} names; ask by one of these.`;

/**
 * Whether a claim asks a VASP by a name that the record of its transfer does not have. Alike is not the same: one of two names
 * that are alike may be on a list.
 */
export function isAskedByOtherName({ personal }: TransactionRecord, asked: string | null): asked is string {
  const names = [personal.vaspInfo.originatorVaspName, ...(personal.claimedVaspNames ?? [])];
  return asked !== null && !names.some((name) => name !== null && foldName(name) === foldName(asked));
}

/**
 * The change of a tenant's own record with the name by which a claim asks a VASP, which is screened then. Throws conflict where the
 * claims of the transfer have asked by 20 names: none is dropped for another one, since it may be on a list.
 */
export function withAskedName(
  change: PairChange,
  own: TransactionRecord,
  { asked, actor, now }: { asked: string | null; actor: Actor; now: Date },
): PairChange {
  const record = change.own?.after ?? own;
  if (!isAskedByOtherName(record, asked)) return change;
  const earlier = record.personal.claimedVaspNames ?? [];
  if (earlier.length >= MAX_NAMES) throw new DomainError('conflict', TOO_MANY_NAMES);
  const claimedVaspNames = [...earlier, asked];
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
