import { dayAfter, startOf } from '../../domain/seals/days.ts';
import { headLine, readStatement } from '../../domain/seals/seal.ts';
import type { Database } from '../database.ts';
import { inSnapshot } from '../postgres.ts';
import { inBatches } from './in-batches.ts';

/** How many lines of day heads one archive holds at most: 130 bytes each. */
const HEADS_LIMIT = 100_000;
const BATCH = 10_000;
/** Every batch looks through the events of the day again. */
const READ_LIMIT = '2min';

/** The seal of a day. */
export interface DaySeal {
  day: string;
  jws: string;
  /** Whether the heads that it states are few enough to be copied. */
  hasHeads: boolean;
}

/**
 * The seals of these days, in the order of the days given; a day that is not sealed yet has none. A row that this
 * deployment has not signed is no seal.
 */
export async function findSeals(
  { pool, vault }: Database,
  tenantId: string,
  days: readonly string[],
  headsLimit = HEADS_LIMIT,
): Promise<DaySeal[]> {
  const { rows } = await pool.query<{ day: string; jws: string }>(
    'select day::text, jws from event_seals where tenant_id = $1 and day = any($2::date[])',
    [tenantId, days],
  );
  const jwsOf = new Map(rows.map(({ day, jws }) => [day, jws]));
  let left = headsLimit;
  return days.flatMap((day) => {
    const jws = jwsOf.get(day);
    const text = jws === undefined ? null : vault.seals.open(jws);
    if (jws === undefined || text === null) return [];
    const { heads } = readStatement(text);
    const hasHeads = heads <= left;
    if (hasHeads) left -= heads;
    return [{ day, jws, hasHeads }];
  });
}

interface HeadRow {
  subject_kind: string;
  subject_id: string;
  sequence: number;
  hash: Buffer;
}

/** The lines that the root of a day's seal is the hash of, ordered by id. */
export async function* readHeadLines(
  { pool }: Pick<Database, 'pool'>,
  tenantId: string,
  day: string,
): AsyncGenerator<string> {
  const rows = inBatches<HeadRow>(BATCH, async (last, size) => {
    const { rows: batch } = await inSnapshot(pool, async (tx) => {
      await tx.query(`set local statement_timeout = '${READ_LIMIT}'`);
      return await tx.query<HeadRow>(
        `select distinct on (subject_id) subject_kind, subject_id, sequence, hash from events
         where tenant_id = $1 and created_at >= $2 and created_at < $3 and ($4::uuid is null or subject_id > $4)
         order by subject_id, sequence desc limit $5`,
        [tenantId, startOf(day), startOf(dayAfter(day)), last?.subject_id ?? null, size],
      );
    });
    return batch;
  });
  for await (const { subject_kind: subjectKind, subject_id: subjectId, sequence, hash } of rows)
    yield headLine({ subjectKind, subjectId, sequence, hash });
}
