import type pg from 'pg';
import type { SubjectKind } from '../../domain/events/event.ts';
import type { ChainHead } from '../vault/head-anchors.ts';
import type { Vault } from '../vault/vault.ts';

const BATCH = 500;
const FIRST = '00000000-0000-0000-0000-000000000000';

interface HeadRow {
  id: string;
  tenant_id: string;
  sequence: number;
  head: Buffer;
}

/** How heads without an anchor are found and given one in the table of a kind of record. */
export interface UnanchoredHeads {
  subjectKind: SubjectKind;
  /** Selects id, tenant_id, sequence and head of up to `$2` records whose id follows `$1`, ordered by id. */
  select: string;
  /** Anchors the records of `$1` (ids) that still have the heads `$2`; `$3` are the anchors. */
  update: string;
}

/** Anchors heads in batches until every record has an anchor. Returns their number. */
export async function anchorEach(
  db: { pool: pg.Pool; vault: Pick<Vault, 'heads'> },
  { subjectKind, select, update }: UnanchoredHeads,
): Promise<number> {
  let anchored = 0;
  let afterId = FIRST;
  for (;;) {
    const { rows } = await db.pool.query<HeadRow>(select, [afterId, BATCH]);
    if (rows.length === 0 && afterId === FIRST) return anchored;
    // A record that changed meanwhile is found by another walk from the first.
    afterId = rows.at(-1)?.id ?? FIRST;
    const macs = rows.map((row) => db.vault.heads.macOf(toHead(subjectKind, row)));
    const { rowCount } = await db.pool.query(update, [
      rows.map(({ id }) => id),
      rows.map(({ head }) => head),
      macs,
    ]);
    anchored += rowCount ?? 0;
  }
}

function toHead(subjectKind: SubjectKind, row: HeadRow): ChainHead {
  const { id, tenant_id, sequence, head } = row;
  return { subjectKind, subjectId: id, tenantId: tenant_id, sequence, head };
}
