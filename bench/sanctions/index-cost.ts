import { createReadStream } from 'node:fs';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ListEntry } from '../../domain/sanctions/list-entry.ts';
import { readList } from '../../readers/sanctions-lists/read-list.ts';
import { buildIndex } from '../../domain/sanctions/sanctions-index.ts';

const run = promisify(execFile);

/** Names of the bundled files of OFAC's SDN list, unpacked. */
export const SDN_FILES = ['sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'];
const CONSOLIDATED_FILES = ['cons_prim.csv', 'cons_alt.csv', 'cons_add.csv', 'cons_comments.csv'];

/** Reads the entries of the bundled OFAC lists from unpacked files in a folder. */
export async function readBundled(folder: string): Promise<ListEntry[]> {
  const entries: ListEntry[] = [];
  for (const [code, names] of [
    ['OFAC_SDN', SDN_FILES],
    ['OFAC_CONS', CONSOLIDATED_FILES],
  ] as const) {
    const files = names.map((name) => ({ name, content: createReadStream(join(folder, name)) }));
    for await (const entry of readList('OFAC_CSV', code, files).entries) entries.push(entry);
  }
  return entries;
}

/** CPU time, in milliseconds, of building an index for `names` names, extrapolated from these entries. */
export function indexBuildMs(entries: readonly ListEntry[], names: number): number {
  const before = process.cpuUsage();
  const index = buildIndex(entries);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000) * (names / index.nameEntries.length);
}

/** Resident memory of a process, in MB. */
export async function residentMb(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)]);
  return (Number(stdout.trim()) * 1_024) / 1e6;
}
