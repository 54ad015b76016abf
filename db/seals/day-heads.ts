import { createHash, type Hash } from 'node:crypto';
import { dayAfter, startOf } from '../../domain/seals/days.ts';
import { headLine } from '../../domain/seals/seal.ts';
import type { Queryable } from '../postgres.ts';

const BATCH = 5_000;
/** A day of a large deployment is read and sorted at once. */
const READ_LIMIT = '10min';

/** How many logs of a tenant grew on a day, and the hash over their last events. */
export interface DayHeads {
  heads: number;
  /** Root hash in hex. */
  root: string;
}

interface HeadRow {
  tenant_id: string;
  subject_kind: string;
  subject_id: string;
  sequence: number;
  hash: Buffer;
}

// By an index of blocks: events are stored about in the order of their times. No event is without a hash, unless somebody
// changed the table: that fits no seal.
const DECLARE = `
  declare day_heads no scroll cursor for
  select distinct on (tenant_id, subject_id) tenant_id, subject_kind, subject_id, sequence, coalesce(hash, '') as hash
  from events where created_at >= $1 and created_at < $2 and tenant_id = any($3::uuid[])
  order by tenant_id, subject_id, sequence desc`;

/** The last events of each of these tenants' records on a day, hashed. Must run inside a database transaction. */
export async function readDayHeads(
  tx: Queryable,
  day: string,
  tenantIds: readonly string[],
): Promise<Map<string, DayHeads>> {
  const counts = new Map(tenantIds.map((id) => [id, { heads: 0, hash: createHash('sha256') }]));
  await tx.query(`set local statement_timeout = '${READ_LIMIT}'`);
  await tx.query(DECLARE, [startOf(day), startOf(dayAfter(day)), tenantIds]);
  for (;;) {
    const { rows } = await tx.query<HeadRow>(`fetch ${BATCH} from day_heads`);
    for (const row of rows) count(counts, row);
    if (rows.length < BATCH) break;
  }
  await tx.query('close day_heads');
  return new Map(
    [...counts].map(([id, { heads, hash }]) => [id, { heads, root: hash.digest('hex') }] as const),
  );
}

function count(counts: Map<string, { heads: number; hash: Hash }>, row: HeadRow): void {
  const counted = counts.get(row.tenant_id);
  if (!counted) return;
  counted.heads += 1;
  counted.hash.update(
    headLine({
      subjectKind: row.subject_kind,
      subjectId: row.subject_id,
      sequence: row.sequence,
      hash: row.hash,
    }),
  );
}
