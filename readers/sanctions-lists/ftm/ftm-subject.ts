import type { EntryType, ListedIdentifier, NameKind } from '../../../domain/sanctions/list-entry.ts';
import { EntryDraft, isOriginalScript, plainText } from '../entry-draft.ts';
import type { FtmObject } from './ftm-object.ts';
import { partialDate } from '../list-dates.ts';

const TYPES = new Map<string, EntryType>([
  ['Person', 'person'],
  ['Organization', 'organisation'],
  ['PublicBody', 'organisation'],
  ['Company', 'organisation'],
  ['LegalEntity', 'organisation'],
  ['Vessel', 'vessel'],
  ['Airplane', 'aircraft'],
]);
const NAMES: readonly [property: string, NameKind][] = [
  ['name', 'aka'],
  ['alias', 'aka'],
  ['previousName', 'fka'],
  ['abbreviation', 'weak'],
  ['weakAlias', 'weak'],
];
const COUNTRIES = [
  'nationality',
  'citizenship',
  'country',
  'jurisdiction',
  'mainCountry',
  'flag',
  'pastFlags',
];
const IDENTIFIERS: readonly [property: string, ListedIdentifier['kind']][] = [
  ['passportNumber', 'passport'],
  ['idNumber', 'national'],
  ['socialSecurityNumber', 'national'],
  ['taxNumber', 'tax'],
  ['innCode', 'tax'],
  ['vatCode', 'tax'],
  ['registrationNumber', 'registration'],
  ['ogrnCode', 'registration'],
  ['uscCode', 'registration'],
  ['leiCode', 'lei'],
  ['imoNumber', 'imo'],
  ['mmsi', 'mmsi'],
  ['swiftBic', 'bic'],
  ['dunsCode', 'other'],
  ['callSign', 'other'],
  ['serialNumber', 'other'],
];

/** The entry of an object that can be a subject of sanctions; undefined for objects of other schemata. */
export function ftmSubject(object: FtmObject, list: string): EntryDraft | undefined {
  const type = TYPES.get(object.schema);
  if (type === undefined) return undefined;
  const entry = new EntryDraft(list, object.id, type);
  addNames(entry, object);
  for (const date of object.values('birthDate')) entry.addBirthDate(dateOf(date));
  for (const place of object.values('birthPlace')) entry.addBirthPlace(place);
  for (const gender of object.values('gender')) entry.setGender(gender);
  for (const country of COUNTRIES.flatMap(object.values)) entry.addCountry(country);
  for (const [property, kind] of IDENTIFIERS) {
    for (const value of object.values(property))
      entry.addIdentifier(kind, kind === 'imo' ? value.replace(/^IMO\s*/i, '') : value);
  }
  for (const title of [...object.values('title'), ...object.values('position')]) entry.addTitle(title);
  for (const note of object.values('notes')) entry.addRemarks(note);
  entry.programs.push(...object.values('programId').map(plainText));
  return entry;
}

/** A listed address of which no holder is told: its entry bears the address as its name, so that it is found as one. */
export function ftmLoneWallet({ id, asset, addresses }: FtmWallet, list: string): EntryDraft {
  const entry = new EntryDraft(list, id, 'organisation');
  for (const address of addresses) {
    entry.addName(address, 'primary');
    entry.addWallet(asset, address);
  }
  return entry;
}

export interface FtmWallet {
  id: string;
  asset: string;
  addresses: string[];
}

export function ftmWallet(object: FtmObject): FtmWallet {
  const [asset = ''] = [...object.values('currency'), ...object.values('currencySymbol')];
  return { id: object.id, asset, addresses: object.values('publicKey') };
}

/** The caption is the name that the publisher shows. */
function addNames(entry: EntryDraft, object: FtmObject): void {
  if (object.values('name').includes(object.caption)) entry.addName(object.caption, 'primary');
  for (const [property, kind] of NAMES) {
    for (const name of object.values(property))
      entry.addName(name, kind !== 'weak' && isOriginalScript(name) ? 'original_script' : kind);
  }
}

export function dateOf(text: string): string | undefined {
  const [, year = '', month, day] = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?(?:T.*)?$/.exec(text.trim()) ?? [];
  return partialDate(year, month, day);
}
