/** Data that a record may lack, by the names that conditions use. */
export const MISSING_FIELDS = [
  'originator.name',
  'originator.accountNumber',
  'originator.address',
  'originator.country',
  'originator.nationalIdentificator',
  'originator.customerIdentification',
  'originator.dateOfBirth',
  'originator.placeOfBirth',
  'originator.lei',
  'beneficiary.name',
  'beneficiary.accountNumber',
  'blockchainInfo.origin',
  'blockchainInfo.destination',
] as const;

/** What `completeness.missing` joins, and what rules and facts of earlier versions name as one value. */
const COMPOSITES = [
  'originator.accountNumber|blockchainInfo.origin',
  'originator.address+country+nationalIdentificator+customerIdentification',
  'originator.dateOfBirth+placeOfBirth',
  'originator.address+country+nationalIdentificator+customerIdentification|originator.dateOfBirth+placeOfBirth',
  'originator.lei|originator.nationalIdentificator',
  'beneficiary.accountNumber|blockchainInfo.destination',
];

const KNOWN: ReadonlySet<string> = new Set([...MISSING_FIELDS, ...COMPOSITES]);

/** Whether a condition may name it: a single field, or a composite of an earlier version. */
export function isMissingField(text: string): boolean {
  return KNOWN.has(text);
}

/** The single fields of a path: `|` joins alternatives, `+` joins fields of one party. */
export function singleFields(path: string): string[] {
  return path.split('|').flatMap((alternative) => {
    const [first = '', ...others] = alternative.split('+');
    const party = first.slice(0, first.indexOf('.') + 1);
    return [first, ...others.map((name) => party + name)];
  });
}
