import type { Database, Queryable } from '../database.ts';
import { naturalBatch } from '../natural-batch.ts';
import { insertSql, unnestValues } from '../unnest.ts';
import { screeningColumns, type SealedScreening } from './screening-row.ts';

const INSERT = insertSql('screenings', screeningColumns);

/** Stores screenings, all in one statement. */
export async function insertScreenings(db: Queryable, screenings: SealedScreening[]): Promise<void> {
  await db.query({
    name: 'insert-screenings',
    text: INSERT,
    values: unnestValues(screeningColumns, screenings),
  } as { text: string; values: unknown[] });
}

/** Stores screenings as they come: those that arrive together go in one statement. */
export function screeningWriter(db: Database): (screening: SealedScreening) => Promise<void> {
  return naturalBatch<SealedScreening, void>({
    maxSize: 128,
    concurrency: 2,
    gather: true,
    run: async (batch) => {
      await insertScreenings(db.pool, batch);
      return batch.map(() => undefined);
    },
  });
}
