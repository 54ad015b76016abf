import { DomainError } from '../errors.ts';
import { foldName } from '../fold.ts';
import type { Party } from '../parties/party.ts';
import type { TransactionRecord } from '../transactions/record.ts';
import { isFinal } from '../transactions/state.ts';

/**
 * The beneficiary that a claim gives to the tenant's own record of the transfer, which is screened with it; undefined where the
 * record has that name already. A name goes out with a claim only after it has stood in a screened record. Throws conflict where
 * the record names the beneficiary otherwise, or takes no name any more.
 */
export function claimedBeneficiary(
  { status, personal }: TransactionRecord,
  name: string | null,
): { name: string } | undefined {
  if (name === null) return undefined;
  const names = namesOf(personal.beneficiary);
  if (names.includes(foldName(name))) return undefined;
  if (names.length > 0)
    throw new DomainError(
      'conflict',
      'The transaction names the beneficiary otherwise: add this name to its `aliases`, or leave `beneficiary` out.',
    );
  if (isFinal(status))
    throw new DomainError('conflict', `A transaction that is ${status} takes no beneficiary: leave it out.`);
  return { name };
}

/** Every name under which the beneficiary is screened, folded. */
function namesOf(party: Party | null): string[] {
  const { name, firstName, lastName, aliases = [] } = party ?? {};
  const parts = [firstName, lastName].filter((part) => part !== undefined);
  const split = [parts.join(' '), parts.toReversed().join(' ')];
  return [name ?? '', ...split, ...aliases].filter((each) => each !== '').map(foldName);
}
