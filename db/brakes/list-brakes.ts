import { notFound } from '../../domain/errors.ts';
import type { BrakeList, ShownBrake } from '../../domain/brakes/schema.ts';
import type { Database } from '../database.ts';
import { readPage, type ListPage } from '../page.ts';
import type { Queryable } from '../postgres.ts';
import { sql, statementOf } from '../query-builder.ts';
import { BRAKE_COLUMNS, toBrake, type BrakeRow } from './brake-row.ts';
import { countWaiting, countWaitingOfEach } from './count-waiting.ts';

const STATES = {
  ON: 'released_at is null',
  RELEASING: 'released_at is not null and finished_at is null',
  RELEASED: 'finished_at is not null',
} as const;

/** One page of a tenant's brakes, each with what waits now; `q` finds ids by their beginning. */
export async function listBrakes(
  db: Database,
  tenantId: string,
  list: BrakeList,
): Promise<ListPage<ShownBrake>> {
  const matching = sql('brakes').select('id', 'set_at').where('tenant_id', tenantId);
  if (list.q !== undefined) matching.whereRaw('starts_with(id::text, lower(?))', [list.q.trim()]);
  if (list.filters.state) matching.whereRaw(STATES[list.filters.state]);
  const page = {
    matching: statementOf(matching),
    orderBy: `set_at ${list.order}, id ${list.order}`,
    rows: `select ${BRAKE_COLUMNS} from page join brakes using (id, set_at)`,
    range: list,
  };
  return await readPage(db.pool, page, async (rows: BrakeRow[]) => {
    const keys = await db.vault.tenantKeys(
      tenantId,
      rows.map(({ reason }) => reason),
    );
    const brakes = rows.map((row) => toBrake(row, keys));
    const waiting = await countWaitingOfEach(
      db.pool,
      brakes.filter(({ finishedAt }) => finishedAt === null),
    );
    return brakes.map((brake) => ({ brake, waiting: waiting.get(brake.id) ?? 0 }));
  });
}

/** A brake of the tenant, with what waits now. Throws not_found. */
export async function getBrake(
  db: Database,
  tenantId: string,
  id: string,
  from: Queryable = db.pool,
): Promise<ShownBrake> {
  const { rows } = await from.query<BrakeRow>(
    `select ${BRAKE_COLUMNS} from brakes where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  if (!rows[0]) throw notFound('brake');
  const brake = toBrake(rows[0], await db.vault.tenantKeys(tenantId, [rows[0].reason]));
  return { brake, waiting: brake.finishedAt === null ? await countWaiting(from, brake) : 0 };
}
