import type pg from 'pg';
import { inTransaction } from '../../db/postgres.ts';
import { activateImport, beginImport, copyLabels } from '../../db/labels/label-imports.ts';
import type { EntityType } from '../../domain/entity-types.ts';
import { labelPlace } from '../../domain/labels/label-key.ts';

export interface TestLabel {
  address: string;
  blockchain: string;
  type: EntityType;
  confidence: number;
  /** The name of the entity; null if the label names none. */
  name: string | null;
  entityId?: string;
}

/** Makes one label of an exchange the whole of the operator's labels, as an import would leave it. */
export async function importLabel(pool: pg.Pool, address: string, name: string): Promise<void> {
  await importLabels(pool, [{ address, name, blockchain: 'Ethereum', type: 'exchange', confidence: 100 }]);
}

/** Makes these labels the whole of the operator's labels, as an import would leave them. */
export async function importLabels(pool: pg.Pool, given: readonly TestLabel[]): Promise<void> {
  const now = new Date();
  const labels = given.map(({ address, name, blockchain, entityId = null, ...label }) => {
    const place = labelPlace(blockchain, address);
    if (!place) throw new Error('no address');
    const texts = { label: name ?? 'hot wallet', entityName: name, entityId };
    return { ...place, ...label, ...texts, lastModified: null, reference: null };
  });
  const importId = await beginImport(pool, { isBundled: false, now });
  await inTransaction(pool, async (tx) => {
    await copyLabels(tx, importId, labels);
    const isOf = { source: 'mine', version: null, labels: labels.length, sha256: null };
    await activateImport(tx, { importId, ...isOf, now });
  });
}
