import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';
import { dataFile } from '../../data/data-file.ts';
import { fromBundledRow } from '../../domain/labels/bundled-row.ts';
import type { NewLabel } from '../../domain/labels/label.ts';
import { BUNDLED_SOURCE } from '../../domain/labels/schema.ts';
import { inTransaction, type Queryable } from '../postgres.ts';
import { activateImport, beginImport, copyLabels } from './label-imports.ts';

const VERSION_DIGITS = 16;
const BATCH = 5_000;

interface LoadOptions {
  file?: URL;
  /** Aborts a running load; it is rolled back. */
  signal?: AbortSignal;
}

/**
 * Replaces the bundled labels of an earlier release; labels that operators imported stay. Several processes may call
 * it at once: one loads. Returns the number of loaded labels, 0 when this release was loaded before.
 */
export async function loadBundledLabels(
  pool: pg.Pool,
  now: Date,
  options: LoadOptions = {},
): Promise<number> {
  const { file = dataFile('labels/labels.tsv.gz'), signal } = options;
  const packed = await readFile(file);
  const sha256 = createHash('sha256').update(packed).digest();
  if (await isLoaded(pool, sha256)) return 0;
  return await inTransaction(pool, async (tx) => {
    await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`labels:${BUNDLED_SOURCE}`]);
    if (await isLoaded(tx, sha256)) return 0;
    const version = sha256.toString('hex').slice(0, VERSION_DIGITS);
    const importId = await beginImport(tx, { isBundled: true, now });
    let labels = 0;
    for await (const batch of batchesOf(packed)) {
      signal?.throwIfAborted();
      await copyLabels(tx, importId, batch);
      labels += batch.length;
    }
    await activateImport(tx, { importId, source: BUNDLED_SOURCE, version, labels, sha256, now });
    return labels;
  });
}

async function isLoaded(db: Queryable, sha256: Buffer): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from label_imports where source = $1 and is_active and sha256 = $2',
    [BUNDLED_SOURCE, sha256],
  );
  return rows.length > 0;
}

async function* batchesOf(packed: Buffer): AsyncGenerator<NewLabel[]> {
  let batch: NewLabel[] = [];
  for await (const line of createInterface({ input: Readable.from([packed]).pipe(createGunzip()) })) {
    batch.push(fromBundledRow(line));
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
