import { isNamedLike } from '../entities/name-likeness.ts';
import type { Party } from '../parties/party.ts';
import type { PersonalData } from '../transactions/record.ts';

/** The tenant whose travel address an inquiry has used, by every name that it and its directory entry have. */
export interface AskedVasp {
  names: readonly string[];
  lei: string | null;
}

type SaidOfBeneficiaryVasp = Pick<PersonalData, 'beneficiaryVasp' | 'namesOtherVasp'>;

/**
 * What an inquiry says of the beneficiary VASP, as the message keeps it: nothing where it names the tenant alone, in whatever
 * spelling. What it says more is kept to be compared with lists. It names another VASP where its LEI is another one, or, unless
 * both have one, where no name is like any of the tenant's.
 */
export function saidOfBeneficiaryVasp(said: Party | null, asked: AskedVasp): SaidOfBeneficiaryVasp {
  if (!said) return {};
  const names = namesOf(said);
  const others = names.filter((name) => !isNamedLike(name, asked.names));
  if (isOther(said, asked, { names, others })) return { beneficiaryVasp: said, namesOtherVasp: true };
  const { accountNumber, nationalIdentificator, lei } = said;
  const isMore =
    others.length > 0 ||
    accountNumber !== undefined ||
    nationalIdentificator !== undefined ||
    (lei !== undefined && lei !== asked.lei);
  return isMore ? { beneficiaryVasp: said } : {};
}

function isOther(
  { lei }: Party,
  asked: AskedVasp,
  { names, others }: { names: readonly string[]; others: readonly string[] },
): boolean {
  if (lei !== undefined && asked.lei !== null) return lei !== asked.lei;
  return names.length > 0 && others.length === names.length;
}

function namesOf({ name, firstName, lastName, aliases = [] }: Party): string[] {
  const person = [firstName, lastName].filter((part) => part !== undefined).join(' ');
  return [...(name === undefined ? [person] : [name]), ...aliases].filter((each) => each !== '');
}
