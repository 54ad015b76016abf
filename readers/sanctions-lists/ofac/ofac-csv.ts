import type { EntryType, ListEntry } from '../../../domain/sanctions/list-entry.ts';
import { listRows } from '../list-rows.ts';
import { EntryDraft } from '../entry-draft.ts';
import { ListFault } from '../list-fault.ts';
import type { ListFile } from '../list-text.ts';
import { readOfacRemarks } from './ofac-remarks.ts';
import { pushTo } from '../push-to.ts';
import type { ReadingState } from '../reading-state.ts';

/** The four files of an OFAC list. They have no header; `primary` is `sdn.csv` or `cons_prim.csv`. */
type OfacFileKind = 'comments' | 'aliases' | 'addresses' | 'primary';

/** What joins an entity of the primary file, by the entity's number. All of it stays in memory. */
interface JoinedRows {
  comments: Map<string, string[]>;
  aliases: Map<string, string[][]>;
  countries: Map<string, string[]>;
}

const TYPES = new Map<string, EntryType>([
  ['individual', 'person'],
  ['vessel', 'vessel'],
  ['aircraft', 'aircraft'],
  ['', 'organisation'],
]);
const COLUMNS: Record<OfacFileKind, number> = { comments: 2, aliases: 5, addresses: 6, primary: 12 };
const NAMES: readonly [RegExp, OfacFileKind][] = [
  [/(^|[^a-z])comments?([^a-z]|$)/i, 'comments'],
  [/(^|[^a-z])alt([^a-z]|$)/i, 'aliases'],
  [/(^|[^a-z])add([^a-z]|$)/i, 'addresses'],
  [/(^|[^a-z])(sdn|prim)([^a-z]|$)/i, 'primary'],
];

interface OfacTable {
  kind: OfacFileKind;
  rows: AsyncIterable<string[]>;
}

/**
 * Joins the files of an OFAC list, given in any order and known by their names, else by the columns of their first row.
 * Each kind comes once: twice the same may be a wrong name on another. Rows of the three other files whose entity is not
 * on the list are dropped and are no fault. Throws ListFault.
 */
export async function* readOfacCsv(
  files: readonly ListFile[],
  reading: ReadingState,
): AsyncGenerator<ListEntry> {
  const tables = await Promise.all(files.map(async (file) => tableOf(file, reading)));
  const primary = tables.find(({ kind }) => kind === 'primary');
  const kinds = new Set(tables.map(({ kind }) => kind));
  if (!primary || kinds.size < tables.length) throw new ListFault('NOT_THIS_FORMAT');
  const joined: JoinedRows = { comments: new Map(), aliases: new Map(), countries: new Map() };
  for (const { kind, rows } of tables) {
    if (kind !== 'primary') await join(kind, rows, joined, reading);
  }
  for await (const row of primary.rows) {
    const entry = primaryEntry(row, joined, reading.list);
    if (entry === undefined) reading.fault();
    else yield entry;
  }
}

async function tableOf(file: ListFile, reading: ReadingState): Promise<OfacTable> {
  const named = NAMES.find(([pattern]) => pattern.test(file.name))?.[1];
  const mayBeEmpty = named !== undefined && named !== 'primary';
  const rows = listRows(file, reading, { mayBeLatin1: true, mayBeEmpty, endsMarked: true });
  if (named !== undefined) return { kind: named, rows };
  const first = await rows.next();
  if (first.done === true) throw new ListFault('EMPTY');
  const columns = first.value.length;
  const kind = (Object.keys(COLUMNS) as OfacFileKind[]).find((name) => COLUMNS[name] === columns);
  if (kind === undefined) throw new ListFault('NOT_THIS_FORMAT');
  return { kind, rows: startingWith(first.value, rows) };
}

async function* startingWith(first: string[], rest: AsyncIterable<string[]>): AsyncGenerator<string[]> {
  yield first;
  yield* rest;
}

async function join(
  kind: Exclude<OfacFileKind, 'primary'>,
  rows: AsyncIterable<string[]>,
  joined: JoinedRows,
  reading: ReadingState,
): Promise<void> {
  for await (const row of rows) {
    const sourceId = cell(row[0] ?? '');
    if (row.length < COLUMNS[kind] || !/^\d+$/.test(sourceId)) {
      reading.fault();
      continue;
    }
    reading.hold(row.join('').length);
    if (kind === 'comments') pushTo(joined.comments, sourceId, row[1] ?? '');
    else if (kind === 'aliases') pushTo(joined.aliases, sourceId, [cell(row[2] ?? ''), cell(row[3] ?? '')]);
    else pushTo(joined.countries, sourceId, cell(row[4] ?? ''));
  }
}

function primaryEntry(row: readonly string[], joined: JoinedRows, list: string): ListEntry | undefined {
  const cells = row.map(cell);
  const [sourceId = '', name = '', kind = '', program = '', title = '', ...rest] = cells;
  const type = TYPES.get(kind.toLowerCase());
  if (cells.length < COLUMNS.primary || !/^\d+$/.test(sourceId) || name === '' || type === undefined)
    return undefined;
  // The field is cut at its maximum length in mid-word: the rest goes on without a blank.
  const comments = joined.comments.get(sourceId) ?? [];
  const remarks = rest[6] === '' ? '' : [row[COLUMNS.primary - 1], ...comments].join('').trim();
  const { names, ...read } = readOfacRemarks(remarks);
  const entry = Object.assign(new EntryDraft(list, sourceId, type), read);
  entry.addName(name, 'primary');
  entry.names.push(...names);
  for (const [word, text = ''] of joined.aliases.get(sourceId) ?? [])
    entry.addName(text, word === 'fka' ? 'fka' : 'aka');
  entry.addCountry(rest[4] ?? '');
  for (const country of joined.countries.get(sourceId) ?? []) entry.addCountry(country);
  entry.programs = program
    .split(/\]\s*\[|[[\];]/)
    .map((code) => code.trim())
    .filter((code) => code !== '');
  entry.addTitle(title);
  if (remarks !== '') entry.remarks = remarks;
  return entry.finish();
}

/** `-0-` is the files' word for nothing. */
function cell(text: string): string {
  const trimmed = text.trim();
  return trimmed === '-0-' ? '' : trimmed;
}
