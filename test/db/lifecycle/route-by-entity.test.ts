import { applyImport } from '../../../db/entities/apply-import.ts';
import { ensureTenantEntities } from '../../../db/tenants/ensure-tenant-entities.ts';
import { inTransaction } from '../../../db/postgres.ts';
import { stageRows } from '../../../db/entities/stage-import.ts';
import { markUnroutedOrFind } from '../../../db/lifecycle/mark-unrouted.ts';
import { counterpartyOf } from '../../../db/lifecycle/resolve-counterparty.ts';
import { newId } from '../../../db/new-id.ts';
import { getTransaction } from '../../../db/transactions/find-transaction.ts';
import { readImportValues } from '../../../domain/entities/import-row.ts';
import type { Json } from '../../api-client.ts';
import { createTransaction, evmAddress, letPass } from '../../factories/transaction.ts';
import { shown } from '../../factories/transaction-record.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const sender = useTenant(api);
const receiver = useTenant(api, { name: 'Hafen Bank' });
let receiverEntityId: string;
beforeAll(async () => {
  receiverEntityId = (await sender.get('/entities/lookup?name=hafen%20bank')).body['id'] as string;
});

async function operator(method: string, path: string, body: Json): Promise<string> {
  const answer = await api.request(method, `/operator/entities${path}`, {
    operatorKey: api.operatorKey,
    body,
  });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  return String(answer.body['id']);
}

async function send(beneficiaryVaspName: string, destination = evmAddress()) {
  const { id } = await createTransaction(sender, {
    blockchainInfo: { blockchain: 'Ethereum', destination, destinationType: 'CUSTODIAL' },
    vaspInfo: { beneficiaryVaspName },
  });
  return await getTransaction(api.db, sender.id, id);
}

const route = async (name: string, destination?: string) =>
  (await counterpartyOf(api.db.pool, await send(name, destination), api.db)).receiver;

/** A message that found nobody, and what a look at it tells afterwards. */
async function waiting(name: string) {
  const record = await send(name);
  await letPass(api.db, record.id);
  await markUnroutedOrFind(api.db, record, new Date());
  const told = api.outbox.length;
  return {
    id: record.id,
    isWoken: () => api.outbox.slice(told).some((entry) => entry.subjectId === record.id),
    isDue: async () => {
      const { wakeAt } = await getTransaction(api.db, sender.id, record.id);
      return wakeAt !== null && wakeAt.getTime() <= Date.now();
    },
    entityId: async () =>
      (await sender.get<{ vaspInfo: Json }>(`/transactions/${record.id}`)).body.vaspInfo[
        'beneficiaryVaspEntityId'
      ],
  };
}

test('a tenant is reached by its name, an alias, and a name of a duplicate, however they are spelled', async () => {
  await operator('PATCH', `/${receiverEntityId}`, { aliases: ['Hafenbänk Österreich'] });
  const duplicate = await operator('POST', '', { name: 'Port Bank', type: 'bank', aliases: ['PB 1'] });
  await operator('POST', `/${duplicate}/merge`, { masterId: receiverEntityId });
  for (const name of ['HAFEN  bank', 'hafenbank osterreich', 'port bank', 'pb  1']) {
    expect([name, await route(name)]).toEqual([name, { network: 'NATIVE', tenantId: receiver.id }]);
  }
});

test('a name that is somebody else’s wins over a registered address; one that is nobody’s does not go by it', async () => {
  const destination = evmAddress();
  await receiver.post('/wallets', { address: destination, asset: 'ETH', blockchain: 'Ethereum' });
  await operator('POST', '', { name: 'Far Away', type: 'exchange' });
  await operator('POST', '', { name: 'Common Name', type: 'exchange' });
  await operator('POST', '', { name: 'Common name', type: 'exchange' });
  const found = { network: 'NATIVE', tenantId: receiver.id };
  expect(await route('far away', destination)).toBeNull();
  expect(await route('common name', destination)).toBeNull();
  expect(await route('unheard of', destination)).toBeNull();
  expect(await route('hafenbank', destination)).toEqual(found);
  expect(await route('common name')).toBeNull();
});

test('a known VASP that nothing leads to is named in the record, and the log says so', async () => {
  const entityId = await operator('POST', '', { name: 'Island', type: 'exchange' });
  const message = await waiting('ISLAND');
  expect(await message.entityId()).toBe(entityId);
  const { body } = await sender.get<Json[]>(`/transactions/${message.id}/events`);
  expect(body[0]).toMatchObject({ type: 'VASP_NOT_FOUND', data: { entityId } });
  await sender.patch(`/transactions/${message.id}`, { vaspInfo: { beneficiaryVaspName: 'Mainland' } });
  expect(await message.entityId()).toBeNull();
});

test('an entity that appears later is filled in when the message is looked at again', async () => {
  const message = await waiting('Late Island');
  expect(await message.entityId()).toBeNull();
  const entityId = await operator('POST', '', { name: 'Late Island', type: 'exchange' });
  expect(message.isWoken()).toBe(true);
  await letPass(api.db, message.id);
  await markUnroutedOrFind(api.db, await getTransaction(api.db, sender.id, message.id), new Date());
  expect(await message.entityId()).toBe(entityId);
  expect(await message.isDue()).toBe(false);
});

test('a new alias, a merge and a rename each wake what waits for the name', async () => {
  const [byAlias, byMerge] = [await waiting('Soon An Alias'), await waiting('Soon A Duplicate')];
  await operator('PATCH', `/${receiverEntityId}`, { aliases: ['Soon An Alias'] });
  expect(byAlias.isWoken()).toBe(true);
  const duplicate = await operator('POST', '', { name: 'Soon A Duplicate', type: 'bank' });
  const again = await waiting('soon a duplicate');
  await operator('POST', `/${duplicate}/merge`, { masterId: receiverEntityId });
  expect([byMerge.isWoken(), again.isWoken(), await again.isDue()]).toEqual([true, true, true]);
});

test('however an import and "nobody found" meet, a message is never left behind', async () => {
  for (let round = 0; round < 10; round += 1) {
    const now = new Date();
    const name = `Imported ${round}`;
    const { entity } = readImportValues({ name, type: 'bank' }, { row: 1, source: 'TEST', now });
    const place = { id: newId(now), begunAt: now };
    const [record] = await Promise.all([send(name), stageRows(api.db, place, entity ? [entity] : [])]);
    await letPass(api.db, record.id);
    const [marked] = await Promise.all([
      markUnroutedOrFind(api.db, record, new Date()),
      inTransaction(api.db.pool, async (tx) => await applyImport(tx, place)),
    ]);
    const after = await getTransaction(api.db, sender.id, record.id);
    const isDue = after.wakeAt !== null && after.wakeAt.getTime() <= Date.now();
    // A message that was not marked is routed again shortly.
    const isFound = marked === 'NAMES_CHANGE' || after.counterpartyEntityId !== null || isDue;
    expect({ round, found: isFound }).toEqual({ round, found: true });
  }
});

async function importEntity(name: string, begunAgoMs = 0): Promise<void> {
  const now = new Date(Date.now() - begunAgoMs);
  const place = { id: newId(now), begunAt: now };
  const { entity } = readImportValues({ name, type: 'bank' }, { row: 1, source: 'TEST', now });
  await stageRows(api.db, place, entity ? [entity] : []);
  await inTransaction(api.db.pool, async (tx) => await applyImport(tx, place));
}

test.each([
  ['an imported entity', async (name: string) => await importEntity(name)],
  [
    'an entity of a file that took long to arrive',
    async (name: string) => await importEntity(name, 1_200_000),
  ],
  ['a single new entity', async (name: string) => await operator('POST', '', { name, type: 'bank' })],
])('%s restarts the screening clock, which had been put to tomorrow', async (kind, makeEntity) => {
  const name = `Clock of ${kind}`;
  const message = await waiting(name);
  const asleep = await getTransaction(api.db, sender.id, message.id);
  expect(shown(asleep)).toMatchObject({ subStatus: 'VASP_NOT_FOUND', screeningState: 'DUE' });
  expect(Number(asleep.screeningDueSince)).toBeGreaterThan(Date.now());
  const before = Date.now();
  await makeEntity(name);
  const { screeningState, screeningDueSince, wakeAt } = await getTransaction(api.db, sender.id, message.id);
  expect(screeningState).toBe('DUE');
  expect(Number(screeningDueSince)).toBeGreaterThanOrEqual(before - 1);
  expect(Number(screeningDueSince)).toBeLessThanOrEqual(Date.now());
  expect(wakeAt).toEqual(screeningDueSince);
});

test('a tenant that the version before made is in the directory from the next start on', async () => {
  const { rows } = await database.pool.query<{ entity_id: string }>(
    `insert into tenants (id, entity_id, name, name_folded, webhook_secret, created_at, updated_at)
     values (gen_random_uuid(), gen_random_uuid(), 'Élder', 'elder', '', now(), now()) returning entity_id`,
  );
  await ensureTenantEntities(api.db, new Date());
  await ensureTenantEntities(api.db, new Date());
  const { body } = await sender.get<Json[]>('/entities?q=ELDER');
  expect(body).toMatchObject([{ id: rows[0]?.entity_id, name: 'Élder', inNetwork: true }]);
});

test('one index is asked for a name, whatever the size of the directory', async () => {
  const client = await database.pool.connect();
  try {
    await client.query('set enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain select entity_id from entity_names where folded = 'x' and kind <> 'LEGAL'`,
    );
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('entity_names_folded');
  } finally {
    await client.query('reset enable_seqscan');
    client.release();
  }
});
