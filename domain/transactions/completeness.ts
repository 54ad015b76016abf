import { singleFields } from '../rules/missing-fields.ts';
import { nameKind } from '../sanctions-screening/subject.ts';
import type { Party } from '../parties/party.ts';
import type { PersonalData, TransactionRecord } from './record.ts';

/** The data that Regulation (EU) 2023/1113, article 14, requires and the record lacks. Informative: nothing is refused. */
export interface Completeness {
  profile: 'EU_TFR';
  complete: boolean;
  /** Field paths as in the API; alternatives are joined by `|`. */
  missing: string[];
}

interface CheckedParty {
  personal: Pick<PersonalData, 'originator' | 'beneficiary'>;
  origin: TransactionRecord['origin'];
  destination: TransactionRecord['destination'];
  sealed: boolean;
}

interface FieldRequirement {
  missing: string;
  isMet: (subject: CheckedParty) => boolean;
}

/** Whether the party has a whole name that the sanctions lists can be searched for: a placeholder such as "-" is none. */
function hasName(party: Party | null): boolean {
  const [whole, first, last] = [party?.name, party?.firstName, party?.lastName].map((name) =>
    name === undefined ? 'PLACEHOLDER' : nameKind(name),
  );
  const pair = [first, last];
  return whole === 'NAME' || (pair.includes('NAME') && !pair.includes('PLACEHOLDER'));
}
const hasAddress = (party: Party | null): boolean =>
  Boolean(party?.address || Object.values(party?.addressDetails ?? {}).some(Boolean));
const isLegal = (party: Party | null): boolean => party?.type === 'LEGAL';

/** Article 14(1)(d): address, official document number and customer id; or, for a person, date and place of birth. */
function isIdentified(party: Party | null): boolean {
  const documented =
    hasAddress(party) &&
    Boolean(party?.country && party.nationalIdentificator && party.customerIdentification);
  return documented || (!isLegal(party) && Boolean(party?.dateOfBirth && party.placeOfBirth));
}

/** Article 14(1)(e): the LEI if there is one, else another official registration number. */
const isRegistered = (party: Party | null): boolean =>
  !isLegal(party) || Boolean(party?.lei || party?.nationalIdentificator);

const REQUIREMENTS: readonly FieldRequirement[] = [
  { missing: 'originator.name', isMet: ({ personal }) => hasName(personal.originator) },
  {
    missing: 'originator.accountNumber|blockchainInfo.origin',
    isMet: ({ personal, origin }) => Boolean(personal.originator?.accountNumber || origin),
  },
  {
    missing:
      'originator.address+country+nationalIdentificator+customerIdentification|originator.dateOfBirth+placeOfBirth',
    isMet: ({ personal }) => isLegal(personal.originator) || isIdentified(personal.originator),
  },
  {
    missing: 'originator.address+country+nationalIdentificator+customerIdentification',
    isMet: ({ personal }) => !isLegal(personal.originator) || isIdentified(personal.originator),
  },
  {
    missing: 'originator.lei|originator.nationalIdentificator',
    isMet: ({ personal }) => isRegistered(personal.originator),
  },
  { missing: 'beneficiary.name', isMet: ({ personal }) => hasName(personal.beneficiary) },
  {
    missing: 'beneficiary.accountNumber|blockchainInfo.destination',
    isMet: ({ personal, destination }) => Boolean(personal.beneficiary?.accountNumber || destination),
  },
];

/** The parties that a message to another VASP does not name; none if the record is no such message. */
export function namelessParties({
  direction,
  destinationType,
  personal,
}: Pick<TransactionRecord, 'direction' | 'destinationType' | 'personal'>): ('originator' | 'beneficiary')[] {
  if (direction === 'INCOMING' || destinationType === 'NON_CUSTODIAL') return [];
  return (['originator', 'beneficiary'] as const).filter((party) => !hasName(personal[party]));
}

/** The single fields that a record lacks of what is required, for rules; undefined while it is sealed. */
export function missingFieldsOf(subject: CheckedParty): string[] | undefined {
  const fields = completenessOf(subject)?.missing.flatMap(singleFields);
  return fields && [...new Set(fields)].filter((field) => lacksField(subject, field));
}

/** Whether the record lacks a single field. */
export function lacksField(subject: CheckedParty, field: string): boolean {
  const [holder = '', name = ''] = field.split('.');
  if (holder === 'blockchainInfo') return !subject[name as 'origin' | 'destination'];
  const party = subject.personal[holder as 'originator' | 'beneficiary'];
  if (name === 'name') return !hasName(party);
  return name === 'address' ? !hasAddress(party) : !party?.[name as keyof Party];
}

/** The completeness of the record's data. Null while the record is sealed: its tenant cannot see the data. */
export function completenessOf(subject: CheckedParty): Completeness | null {
  if (subject.sealed) return null;
  const missing = REQUIREMENTS.filter(({ isMet }) => !isMet(subject)).map(
    (requirement) => requirement.missing,
  );
  return { profile: 'EU_TFR', complete: missing.length === 0, missing };
}
