import { applyImport, type EntityImportCounts } from '../../../db/entities/apply-import.ts';
import { deleteEntity } from '../../../db/entities/delete-entity.ts';
import { stageRows, type EntityImport } from '../../../db/entities/stage-import.ts';
import { newId } from '../../../db/new-id.ts';
import { inTransaction, type Queryable } from '../../../db/postgres.ts';
import { makeTenant } from '../../../db/tenants/create-tenant.ts';
import { readImportValues } from '../../../domain/entities/import-row.ts';
import { addEntity, mergeEntity } from '../../factories/directory.ts';
import { untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

interface Row {
  sourceId: string;
  name?: string;
  type?: string;
  masterSourceId?: string;
  masterEntityId?: string;
}

async function stage(rows: Row[]): Promise<EntityImport> {
  const now = new Date();
  const place = { id: newId(now), begunAt: now };
  const entities = rows.map((row, index) => {
    const values = { name: `Imported ${row.sourceId}`, type: 'bank', ...row };
    const { entity, faults } = readImportValues(values, { row: index + 1, source: 'TEST', now });
    if (!entity) throw new Error(JSON.stringify(faults));
    return entity;
  });
  await stageRows(api.db, place, entities);
  return place;
}

async function apply(place: EntityImport): Promise<EntityImportCounts> {
  const { created, updated } = await inTransaction(database.pool, async (tx) => await applyImport(tx, place));
  return { created: Number(created), updated: Number(updated) };
}

async function idOf(sourceId: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `select id from entities where source = 'TEST' and source_id = $1`,
    [sourceId],
  );
  return rows[0]?.id ?? '';
}

/** Applies an import that begins before `act` is committed, and waits for it. */
async function applyBeside(
  place: EntityImport,
  act: (tx: Parameters<Parameters<typeof inTransaction>[1]>[0]) => Promise<unknown>,
): Promise<unknown> {
  let applied: Promise<unknown> | undefined;
  await inTransaction(database.pool, async (tx) => {
    await act(tx);
    applied = apply(place).catch((error: unknown) => error);
    await untilSomebodyWaits(database.pool, 'transactionid');
  });
  return await applied;
}

const entityRow = async (db: Queryable, id: string) => {
  const { rows } = await db.query(
    `select name, aliases, networks, type, in_network, master_entity_id from entities where id = $1`,
    [id],
  );
  return rows[0];
};

test('a tenant is made of an entity while an import of it runs: the import leaves it out', async () => {
  await apply(await stage([{ sourceId: 'master' }, { sourceId: 'adopted', name: 'Before' }]));
  const entityId = await idOf('adopted');
  const place = await stage([
    { sourceId: 'adopted', name: 'Before', type: 'exchange', masterSourceId: 'master' },
  ]);
  const applied = await applyBeside(place, async (tx) => {
    const body = { name: 'Adopter', entityId };
    await makeTenant(api.db, tx, { body, testBehaviour: null, now: new Date() });
  });
  expect(applied).toEqual({ created: 0, updated: 0 });
  expect(await entityRow(database.pool, entityId)).toEqual({
    name: 'Adopter',
    aliases: ['Before'],
    networks: ['NATIVE'],
    type: 'bank',
    in_network: true,
    master_entity_id: null,
  });
});

describe('a master is deleted while an import that names it runs: the file is refused', () => {
  test.each(['masterEntityId', 'masterSourceId'])('by its %s', async (field) => {
    await apply(await stage([{ sourceId: `gone ${field}` }]));
    const id = await idOf(`gone ${field}`);
    const master = field === 'masterEntityId' ? { masterEntityId: id } : { masterSourceId: `gone ${field}` };
    const place = await stage([{ sourceId: `left ${field}`, ...master }]);
    const applied = await applyBeside(place, async (tx) => await deleteEntity(tx, id, new Date()));
    expect(applied).toMatchObject({
      code: 'csv_invalid',
      details: { errors: [{ row: 1, field, code: 'unknown_entity' }] },
    });
  });
});

describe('the same file again changes nothing', () => {
  const lastChanges = async () =>
    (
      await database.pool.query<Record<string, unknown>>(
        `select source_id, master_entity_id, updated_at from entities where source = 'TEST' order by source_id`,
      )
    ).rows;

  async function repeat(rows: Row[]) {
    const before = await lastChanges();
    expect(await apply(await stage(rows))).toEqual({ created: 0, updated: 0 });
    expect(await lastChanges()).toEqual(before);
  }

  test('with masters that are duplicates themselves, in any order', async () => {
    const rows = [
      { sourceId: 'chain 4', masterSourceId: 'chain 3' },
      { sourceId: 'chain 1' },
      { sourceId: 'chain 3', masterSourceId: 'chain 2' },
      { sourceId: 'chain 2', masterSourceId: 'chain 1' },
    ];
    expect(await apply(await stage(rows))).toEqual({ created: 4, updated: 0 });
    await repeat(rows);
  });

  test('with a master that an operator merged into another since', async () => {
    const rows = [{ sourceId: 'merged' }, { sourceId: 'duplicate', masterSourceId: 'merged' }];
    await apply(await stage(rows));
    await mergeEntity(api, await idOf('merged'), await addEntity(api, 'Merged into'));
    await repeat(rows);
  });
});
