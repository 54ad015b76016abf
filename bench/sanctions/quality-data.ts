import { createReadStream, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import type { EntryType, ListEntry } from '../../domain/sanctions/list-entry.ts';
import { readList } from '../../readers/sanctions-lists/read-list.ts';

const root = projectRoot();
const SAMPLE = join(root, 'bench', 'sanctions', 'sample');
const SCRIPTS = join(root, 'bench', 'sanctions', 'other-scripts.csv');
const SDN = 'sdn_2024-05-03.csv';

/** The folder of the test sets: WAYBILL_BENCH_DATA, else the bundled sample. */
export function dataFolder(): { folder: string; isSample: boolean } {
  const given = process.env.WAYBILL_BENCH_DATA;
  return given === undefined ? { folder: SAMPLE, isSample: true } : { folder: given, isSample: false };
}

/** The project's root, also when this file runs from `dist`. */
function projectRoot(): string {
  const up = fileURLToPath(new URL('../../', import.meta.url));
  return existsSync(join(up, 'package.json')) ? up : join(up, '..');
}

/** OFAC's SDN list. */
export interface Sdn {
  entries: ListEntry[];
  /** All wallet addresses in the joined remarks, found by a regular expression, independently of the reader. */
  wallets: string[];
}

export async function readSdn(folder: string): Promise<Sdn> {
  const path = (name: string): string => join(folder, 'ofac', name);
  const files = [SDN, 'alt.csv', 'sdn_comments.csv'].map((name) => ({
    name,
    content: createReadStream(path(name)),
  }));
  const entries: ListEntry[] = [];
  for await (const entry of readList('OFAC_CSV', 'OFAC_SDN', files).entries) entries.push(entry);
  const rows = (name: string): string[][] =>
    parse(readFileSync(path(name)), { relax_quotes: true, relax_column_count: true, trim: true });
  const primary = rows(SDN);
  const comments = rows('sdn_comments.csv');
  const texts = primary.map(
    (row) =>
      (row[11] ?? '') +
      comments
        .filter(([id]) => id === row[0])
        .map(([, text]) => text)
        .join(''),
  );
  const found = texts.flatMap((text) => [...text.matchAll(/Digital Currency Address - \S+ ([A-Za-z0-9]+)/g)]);
  return { entries, wallets: [...new Set(found.map((match) => match[1] ?? ''))] };
}

export interface NamePair {
  left: string;
  right: string;
  type: EntryType;
  group: string;
  isMatch: boolean;
}

export function readPairs(folder: string): NamePair[] {
  return records(join(folder, 'name-matching', 'name_pairs.csv')).map((row) => ({
    left: row['name1'] ?? '',
    right: row['name2'] ?? '',
    type: row['schema'] === 'Person' ? 'person' : row['schema'] === 'Vessel' ? 'vessel' : 'organisation',
    group: row['case_group'] ?? '',
    isMatch: row['is_match'] === 'true',
  }));
}

/** A name to search for. `sourceId` is the id of the entry that must be found; absent for a clean name. */
export interface SearchedName {
  name: string;
  sourceId?: string;
  isPerson: boolean;
}

export function readPerturbed(folder: string, set: string): SearchedName[] {
  const lines = readFileSync(join(folder, 'perturbed-sdn', `p_${set}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  return lines.map((line) => {
    const row = JSON.parse(line) as { ID: string; Name: string; Type: string };
    return { name: row.Name, sourceId: row.ID, isPerson: row.Type === 'Person' };
  });
}

export function readCleanNames(folder: string): SearchedName[] {
  const names = ['global', 'us'].flatMap((region) =>
    records(join(folder, 'name-matching', `negatives_${region}.csv`)),
  );
  return names.map((row) => ({ name: row['full_name'] ?? '', isPerson: true }));
}

/** Names of listed persons in other scripts, by script. The sets were written for this report, mostly from the news. */
export function readOtherScripts(entries: readonly ListEntry[]): Map<string, SearchedName[]> {
  const idOf = new Map(entries.map((entry) => [entry.names[0]?.text, entry.sourceId]));
  const sets = new Map<string, SearchedName[]>();
  for (const { listed, ...names } of records(SCRIPTS)) {
    const sourceId = idOf.get(listed);
    if (sourceId === undefined) continue;
    for (const [script, name] of Object.entries(names)) {
      if (name !== '') sets.set(script, [...(sets.get(script) ?? []), { name, sourceId, isPerson: true }]);
    }
  }
  return sets;
}

function records(path: string): Record<string, string>[] {
  return parse(readFileSync(path), { columns: true });
}
