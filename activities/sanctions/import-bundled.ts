import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { dataFile } from '../../data/data-file.ts';
import { createGunzip } from 'node:zlib';
import type { Database } from '../../db/database.ts';
import { findListsWithoutVersion } from '../../db/sanctions-lists/list-versions.ts';
import {
  beginUpload,
  completeUpload,
  ensureList,
  removeUpload,
  type UploadResult,
} from '../../db/sanctions-lists/uploads.ts';
import { newId } from '../../db/new-id.ts';
import type { ListFile } from '../../readers/sanctions-lists/list-text.ts';
import { hashOfFiles } from '../../domain/sanctions-lists/update.ts';
import { importFiles } from './import-list.ts';

/** Date of the SDN list. The consolidated list is undated and gets the same date, so that it does not count as newer. */
const PUBLISHED_AT = new Date('2024-05-03T00:00:00Z');

const SNAPSHOTS: Record<string, readonly string[]> = {
  OFAC_SDN: ['sdn.csv', 'alt.csv', 'add.csv', 'sdn_comments.csv'],
  OFAC_CONS: ['cons_prim.csv', 'cons_alt.csv', 'cons_add.csv', 'cons_comments.csv'],
};

/**
 * Imports the lists that come with the product into a deployment that has no version of them, so that a fresh install
 * screens. Done by several processes at once, or again, it is done once. Returns the codes that were imported. Throws the
 * reason of `signal` when that is aborted.
 */
export async function importBundled(
  db: Database,
  now: () => Date,
  signal: AbortSignal = new AbortController().signal,
): Promise<string[]> {
  const missing = await findListsWithoutVersion(db.pool, Object.keys(SNAPSHOTS));
  const imported: string[] = [];
  for (const code of missing) {
    const result = await importSnapshot(db, { code, names: SNAPSHOTS[code] ?? [], signal }, now());
    if (result.outcome === 'ACTIVATED') imported.push(code);
  }
  return imported;
}

interface SnapshotImport {
  code: string;
  /** Names of its files. */
  names: readonly string[];
  signal: AbortSignal;
}

async function importSnapshot(
  db: Database,
  { code, names, signal }: SnapshotImport,
  now: Date,
): Promise<UploadResult> {
  const id = newId(now);
  const upload = {
    id,
    code,
    source: 'BUNDLED',
    format: 'OFAC_CSV',
    files: names,
    sha256: hashOfFiles(await Promise.all(names.map(hashOf))),
    validators: [],
    publishedAt: PUBLISHED_AT,
    acceptShrink: false,
  } as const;
  await ensureList(db.pool, code);
  await beginUpload(db.pool, upload);
  await completeUpload(db.pool, upload);
  try {
    const files = names.map((name): ListFile => ({ name, content: contentOf(name) }));
    return await importFiles(db, upload, signal, files);
  } finally {
    await removeUpload(db.pool, id);
  }
}

function contentOf(name: string): AsyncIterable<Uint8Array> {
  return createReadStream(dataFile(`sanctions-lists/${name}.gz`)).pipe(createGunzip());
}

async function hashOf(name: string): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of contentOf(name)) hash.update(chunk);
  return hash.digest();
}
