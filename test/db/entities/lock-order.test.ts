import { lockEntities, lockMerges } from '../../../db/entities/lock-entities.ts';
import { inTransaction, type Queryable } from '../../../db/postgres.ts';
import { lockAllNames } from '../../../db/routes/name-lock.ts';
import type { Json } from '../../api-client.ts';
import { addEntity, entityOf } from '../../factories/directory.ts';
import { untilSomebodyWaits } from '../../factories/hold-commit.ts';
import { createTenant } from '../../factories/tenant.ts';
import { useApi } from '../../use-api.ts';

const { api, database } = useApi();

const ask = async (method: string, path: string, body?: Json) =>
  (await api.request(method, `/operator${path}`, { operatorKey: api.operatorKey, body })).status;

/** What an import holds of an entity while it writes it, before it locks all names. */
const row = (id: string) => ({
  lock: async (tx: Queryable) => await lockEntities(tx, [id]),
  waitsFor: 'transactionid' as const,
});
const MERGES = { lock: lockMerges, waitsFor: 'advisory' as const };

let names = 0;
const added = async () => await addEntity(api, `Locked ${(names += 1)}`);

const ACTS: [
  string,
  () => Promise<{ held: ReturnType<typeof row> | typeof MERGES; act: () => Promise<number> }>,
][] = [
  [
    'deletes it',
    async () => {
      const id = await added();
      return { held: row(id), act: async () => await ask('DELETE', `/entities/${id}`) };
    },
  ],
  [
    'renames it',
    async () => {
      const id = await added();
      const body = { name: `Renamed ${names}` };
      return { held: row(id), act: async () => await ask('PATCH', `/entities/${id}`, body) };
    },
  ],
  [
    'makes a tenant of it',
    async () => {
      const entityId = await added();
      const body = { name: `Adopting ${names}`, entityId };
      return { held: row(entityId), act: async () => await ask('POST', '/tenants', body) };
    },
  ],
  [
    'renames the tenant that it is',
    async () => {
      const { id } = await createTenant(api);
      const held = row(await entityOf(api, id));
      return { held, act: async () => await ask('PATCH', `/tenants/${id}`, { name: `Tenant ${id}` }) };
    },
  ],
  [
    'merges two others',
    async () => {
      const [id, masterId] = [await added(), await added()];
      return { held: MERGES, act: async () => await ask('POST', `/entities/${id}/merge`, { masterId }) };
    },
  ],
  [
    'merges a new one',
    async () => {
      const masterEntityId = await added();
      const body = { name: `New ${names}`, type: 'exchange', masterEntityId };
      return { held: MERGES, act: async () => await ask('POST', '/entities', body) };
    },
  ],
];

test.each(ACTS)('an import that writes an entity does not deadlock with who %s', async (_what, prepare) => {
  const { held, act } = await prepare();
  let acting: Promise<number> | undefined;
  await inTransaction(database.pool, async (tx) => {
    // A deadlock would end this first, and run it again.
    expect(acting).toBeUndefined();
    await tx.query(`set local deadlock_timeout = '10ms'`);
    await held.lock(tx);
    acting = act();
    await untilSomebodyWaits(database.pool, held.waitsFor);
    await lockAllNames(tx);
  });
  expect(await acting).toBeLessThan(300);
});
