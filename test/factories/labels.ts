import type pg from 'pg';
import { inTransaction } from '../../db/postgres.ts';
import { activateImport, beginImport, copyLabels } from '../../db/labels/label-imports.ts';
import { labelPlace } from '../../domain/labels/label-key.ts';

/** Makes one label of an exchange the whole of the operator's labels, as an import would leave it. */
export async function importLabel(pool: pg.Pool, address: string, name: string): Promise<void> {
  const place = labelPlace('Ethereum', address);
  if (!place) throw new Error('no address');
  const now = new Date();
  const importId = await beginImport(pool, { isBundled: false, now });
  await inTransaction(pool, async (tx) => {
    const label = {
      ...place,
      label: name,
      type: 'exchange',
      entityId: null,
      entityName: name,
      confidence: 100,
      lastModified: null,
      reference: null,
    } as const;
    await copyLabels(tx, importId, [label]);
    await activateImport(tx, { importId, source: 'mine', version: null, labels: 1, sha256: null, now });
  });
}
