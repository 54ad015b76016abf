import { countryCode } from '../../domain/country.ts';
import type { EntryType, ListEntry, ListedIdentifier } from '../../domain/sanctions/list-entry.ts';
import { listRows } from './list-rows.ts';
import { EntryDraft, plainListing } from './entry-draft.ts';
import { isoDay } from './list-dates.ts';
import { ListFault } from './list-fault.ts';
import type { ListFile } from './list-text.ts';
import type { ReadingState } from './reading-state.ts';

const COLUMNS = [
  'id',
  'type',
  'name',
  'aliases',
  'dateOfBirth',
  'countries',
  'wallets',
  'identifiers',
  'programs',
  'reason',
  'listedOn',
] as const;
type OwnCsvColumn = (typeof COLUMNS)[number];

const NEEDED: readonly OwnCsvColumn[] = ['id', 'type', 'name'];
const TYPES = new Map<string, EntryType>([
  ['NATURAL', 'person'],
  ['LEGAL', 'organisation'],
  ['VESSEL', 'vessel'],
  ['AIRCRAFT', 'aircraft'],
]);
const KINDS: ReadonlySet<string> = new Set<ListedIdentifier['kind']>([
  'passport',
  'national',
  'tax',
  'registration',
  'lei',
  'imo',
  'mmsi',
  'bic',
  'other',
]);

/**
 * A list of the operator's own: a header with these columns in any order, several values of a cell parted by `;`. Whoever
 * writes such a list can mend it, so a row with anything that cannot be read is a fault as a whole.
 */
export async function* readOwnCsv(file: ListFile, reading: ReadingState): AsyncGenerator<ListEntry> {
  let header: OwnCsvColumn[] | undefined;
  let at = 0;
  for await (const cells of listRows(file, reading)) {
    at++;
    if (header === undefined) {
      header = columnsOf(cells);
      continue;
    }
    const entry = cells.length === header.length ? rowEntry(cells, header, reading.list) : undefined;
    if (entry === undefined) reading.fault(at);
    else yield entry;
  }
}

function columnsOf(cells: readonly string[]): OwnCsvColumn[] {
  const columns = COLUMNS.filter((column) => cells.includes(column));
  const isHeader = columns.length === cells.length && NEEDED.every((column) => columns.includes(column));
  if (!isHeader) throw new ListFault('NOT_THIS_FORMAT', 1);
  return cells as OwnCsvColumn[];
}

function rowEntry(
  cells: readonly string[],
  header: readonly OwnCsvColumn[],
  list: string,
): ListEntry | undefined {
  const cell = (column: OwnCsvColumn): string => cells[header.indexOf(column)]?.trim() ?? '';
  const type = TYPES.get(cell('type').toUpperCase());
  if (type === undefined || cell('name') === '') return undefined;
  const entry = new EntryDraft(list, cell('id'), type);
  entry.addName(cell('name'), 'primary');
  for (const alias of several(cell('aliases'))) entry.addName(alias, 'aka');
  const isRead =
    several(cell('dateOfBirth')).every((text) => addDate(entry, text)) &&
    several(cell('countries')).every((text) => addKnownCountry(entry, text)) &&
    several(cell('identifiers')).every((text) => addKnownIdentifier(entry, text)) &&
    (cell('listedOn') === '' || isDay(cell('listedOn')));
  if (!isRead) return undefined;
  for (const wallet of several(cell('wallets'))) addOwnWallet(entry, wallet);
  addOwnListing(entry, cell);
  return entry.finish();
}

function addDate(entry: EntryDraft, text: string): boolean {
  const isDate =
    /^(?:~?\d{4}(?:-(?:0[1-9]|1[0-2]))?|\d{4}\/\d{4})$/.test(text) || isDay(text.replace(/^~/, ''));
  if (isDate) entry.birthDates.push(text);
  return isDate;
}

function isDay(text: string): boolean {
  return isoDay(text) === text;
}

function addKnownCountry(entry: EntryDraft, text: string): boolean {
  const code = countryCode(text);
  if (code !== undefined) entry.countries.push(code);
  return code !== undefined;
}

/** `kind:value` or `kind:country:value`. */
function addKnownIdentifier(entry: EntryDraft, text: string): boolean {
  const [kind = '', ...rest] = text.split(':');
  const country = rest.length > 1 ? countryCode(rest[0] ?? '') : undefined;
  const value = country === undefined ? rest.join(':') : rest.slice(1).join(':');
  if (!KINDS.has(kind) || value.trim() === '') return false;
  entry.addIdentifier(kind as ListedIdentifier['kind'], value, country);
  return true;
}

/** `asset:address`, or the address alone; small letters before a colon belong to the address (`bitcoincash:…`). */
function addOwnWallet(entry: EntryDraft, text: string): void {
  const [, asset = '', address = text] = /^([A-Z0-9]{2,12}):(.+)$/.exec(text) ?? [];
  entry.addWallet(asset, address);
}

function addOwnListing(entry: EntryDraft, cell: (column: OwnCsvColumn) => string): void {
  const listing = plainListing({
    programs: several(cell('programs')),
    listedOn: cell('listedOn'),
    reason: cell('reason'),
  });
  const { programs, reason, listedOn } = listing;
  if (programs.length > 0 || reason !== undefined || listedOn !== undefined) entry.addListing(listing);
}

function several(text: string): string[] {
  return text
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
