import { countryCode } from '../../country.ts';
import type { EntryType, ListEntry, ListedName } from '../list-entry.ts';
import { readOfacRemarks } from './ofac-remarks.ts';

/** Rows of the CSV files of one OFAC list, cells as text, in the order of the files. They have no header. */
export interface OfacRows {
  /** `sdn.csv` or `cons_prim.csv`: 12 columns. */
  primary: Iterable<readonly string[]>;
  /** `alt.csv`: entity, number, kind, name, remarks. */
  aliases?: Iterable<readonly string[]>;
  /** `add.csv`: entity, number, street, city, country, remarks. */
  addresses?: Iterable<readonly string[]>;
  /** `sdn_comments.csv`: entity, the rest of remarks that were cut off in the primary row. */
  comments?: Iterable<readonly string[]>;
}

/** `faults` counts rows that cannot be rows of this list: callers refuse a file with too many. */
export interface OfacList {
  entries: ListEntry[];
  faults: number;
}

/** csv-parse options for these files: quotes may stand inside a field, and the end mark 0x1A is a row of its own. */
export const OFAC_CSV_OPTIONS = {
  relax_quotes: true,
  relax_column_count: true,
  skip_empty_lines: true,
  trim: true,
  max_record_size: 1_000_000,
} as const;

const TYPES: Record<string, EntryType> = {
  individual: 'person',
  vessel: 'vessel',
  aircraft: 'aircraft',
  '': 'organisation',
};
const PRIMARY_COLUMNS = 12;
const END_OF_FILE = '\u001a';

/** Joins the four files of an OFAC list into entries. Rows of the three other files without an entity are dropped. */
export function readOfacList(list: string, rows: OfacRows): OfacList {
  const comments = byEntity(rows.comments ?? [], (row) => row[1] ?? '');
  const entries = new Map<string, ListEntry>();
  let faults = 0;
  for (const row of rows.primary) {
    if (row[0]?.trim() === END_OF_FILE) continue;
    const entry = primaryEntry(list, row, comments);
    if (entry === undefined || entries.has(entry.sourceId)) faults++;
    else entries.set(entry.sourceId, entry);
  }
  for (const row of rows.aliases ?? []) addAlias(row, entries);
  for (const row of rows.addresses ?? []) addAddress(row, entries);
  return { entries: [...entries.values()], faults };
}

function primaryEntry(
  list: string,
  row: readonly string[],
  comments: ReadonlyMap<string, string[]>,
): ListEntry | undefined {
  const cells = row.map(cell);
  const [sourceId = '', name = '', kind = '', program = '', title = '', ...rest] = cells;
  const type = TYPES[kind.toLowerCase()];
  if (cells.length < PRIMARY_COLUMNS || !/^\d+$/.test(sourceId) || name === '' || type === undefined)
    return undefined;
  // The field is cut at its maximum length in mid-word: the rest goes on without a blank.
  const remarks =
    rest[6] === '' ? '' : [row[PRIMARY_COLUMNS - 1], ...(comments.get(sourceId) ?? [])].join('').trim();
  const { names, countries, ...read } = readOfacRemarks(remarks);
  const flag = countryCode(rest[4] ?? '');
  return {
    list,
    sourceId,
    type,
    names: [{ text: name, kind: 'primary' }, ...names],
    ...read,
    countries: flag === undefined || countries.includes(flag) ? countries : [...countries, flag],
    programs: program
      .split(/\]\s*\[|[[\];]/)
      .map((code) => code.trim())
      .filter((code) => code !== ''),
    ...(title === '' ? {} : { title }),
    ...(remarks === '' ? {} : { remarks }),
  };
}

function addAlias(row: readonly string[], entries: ReadonlyMap<string, ListEntry>): void {
  const [sourceId = '', , kind = '', text = ''] = row.map(cell);
  const entry = entries.get(sourceId);
  if (entry === undefined || text === '') return;
  const name: ListedName = { text, kind: kind === 'fka' ? 'fka' : 'aka' };
  if (!entry.names.some((other) => other.text === text)) entry.names.push(name);
}

function addAddress(row: readonly string[], entries: ReadonlyMap<string, ListEntry>): void {
  const [sourceId = '', , , , country = ''] = row.map(cell);
  const code = countryCode(country);
  const entry = entries.get(sourceId);
  if (code !== undefined && entry !== undefined && !entry.countries.includes(code))
    entry.countries.push(code);
}

function byEntity(
  rows: Iterable<readonly string[]>,
  textOf: (row: readonly string[]) => string,
): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const row of rows) {
    const sourceId = cell(row[0] ?? '');
    texts.set(sourceId, [...(texts.get(sourceId) ?? []), textOf(row)]);
  }
  return texts;
}

/** `-0-` is the files' word for nothing. */
function cell(text: string): string {
  const trimmed = text.trim();
  return trimmed === '-0-' ? '' : trimmed;
}
