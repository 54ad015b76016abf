import type { EntryType, ListEntry, NameKind } from '../../domain/sanctions/list-entry.ts';
import { listRows } from './list-rows.ts';
import { EntryDraft, plainListing } from './entry-draft.ts';
import { britishDate, writtenDay } from './list-dates.ts';
import { ListFault } from './list-fault.ts';
import type { ListFile } from './list-text.ts';
import type { ReadingState } from './reading-state.ts';

/** One row, by the names of its columns; a column that the file does not have is empty. */
type UkRow = (column: string) => string;

/** What a file has given so far. */
interface UkCollection {
  header: readonly string[];
  subjects: Map<string, EntryDraft>;
  reading: ReadingState;
}

const TYPES = new Map<string, EntryType>([
  ['individual', 'person'],
  ['entity', 'organisation'],
  ['ship', 'vessel'],
]);
const NEEDED = ['Unique ID', 'Name 6', 'Name type', 'Designation Type'];
/** The header follows the date of the report; further rows before it have been seen in other lists of this publisher. */
const MOST_ROWS_BEFORE_HEADER = 5;

/**
 * The UK Sanctions List of the FCDO: a row for each name and each address of a subject. Rows of one subject need not stand
 * together, so that all subjects stay in memory until the end; they come in the order in which they first appear.
 */
export async function* readUkCsv(file: ListFile, reading: ReadingState): AsyncGenerator<ListEntry> {
  const subjects = new Map<string, EntryDraft>();
  let header: string[] | undefined;
  let at = 0;
  for await (const cells of listRows(file, reading)) {
    at++;
    if (header !== undefined) takeRow(cells, at, { header, subjects, reading });
    else if (NEEDED.every((name) => cells.includes(name))) header = cells;
    else if (at > MOST_ROWS_BEFORE_HEADER) break;
    else reading.publishedAt ??= writtenDay(cells.join(' '));
  }
  if (header === undefined) throw new ListFault('NOT_THIS_FORMAT');
  for (const subject of subjects.values()) {
    const entry = subject.finish();
    if (entry === undefined) reading.fault();
    else yield entry;
  }
}

function takeRow(cells: readonly string[], at: number, { header, subjects, reading }: UkCollection): void {
  const row: UkRow = (column) => cells[header.indexOf(column)]?.trim() ?? '';
  const type = TYPES.get(row('Designation Type').toLowerCase());
  const sourceId = row('Unique ID');
  const known = subjects.get(sourceId);
  const isReadable = cells.length === header.length && sourceId !== '' && type !== undefined;
  if (!isReadable || (known !== undefined && known.type !== type)) {
    reading.fault(at);
    return;
  }
  reading.hold(cells.join('').length);
  if (known === undefined) reading.holdEntry();
  const entry = known ?? new EntryDraft(reading.list, sourceId, type);
  subjects.set(sourceId, entry);
  addRow(entry, row);
}

function addRow(entry: EntryDraft, row: UkRow): void {
  const parts = ['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6'];
  entry.addName(parts.map(row).join(' '), nameKind(row));
  entry.addName(row('Name non-latin script'), 'original_script');
  entry.addTitle(row('Title'));
  entry.addTitle(row('Position'));
  entry.setGender(row('Gender'));
  for (const date of several(row('D.O.B'))) entry.addBirthDate(britishDate(date));
  entry.addBirthPlace(row('Town of birth'), row('Country of birth'));
  for (const country of several(row('Nationality(/ies)'))) entry.addCountry(country);
  entry.addCountry(row('Address Country'));
  entry.addCountry(row('Current believed flag of ship'));
  addIdentifiers(entry, row);
  entry.addRemarks(row('Other Information'));
  addUkListing(entry, row);
}

function nameKind(row: UkRow): NameKind {
  const type = row('Name type').toLowerCase();
  if (type === 'primary name' || type === '') return 'primary';
  if (/low quality/i.test(row('Alias strength'))) return 'weak';
  return /f\.?k\.?a|former/.test(type) ? 'fka' : 'aka';
}

function addIdentifiers(entry: EntryDraft, row: UkRow): void {
  for (const value of several(row('Passport number'))) entry.addIdentifier('passport', value);
  for (const value of several(row('National Identifier number'))) entry.addIdentifier('national', value);
  for (const value of several(row('Business registration number (s)')))
    entry.addIdentifier('registration', value);
  for (const value of several(row('IMO number')))
    entry.addIdentifier('imo', value.replace(/^IMO(?: number)?:?\s*/i, ''));
  entry.addIdentifier('other', row('Hull identification number (HIN)'));
}

function addUkListing(entry: EntryDraft, row: UkRow): void {
  const listing = plainListing({
    authority: row('Designation source'),
    listingId: row('UN Reference Number'),
    programs: [row('Regime Name')],
    listedOn: britishDate(row('Date Designated')),
    reason: row('UK Statement of Reasons'),
    types: row('Sanctions Imposed').split('|'),
  });
  // Every row of a subject says this again.
  if (JSON.stringify(entry.listings?.at(-1)) !== JSON.stringify(listing)) entry.addListing(listing);
}

/** A cell with several values numbers them, `(1) Russia (2) Belarus`, or parts them by `;`. */
function several(text: string): string[] {
  return text.split(/\(\d{1,2}\)|;/).filter((part) => part.trim() !== '');
}
