import knex from 'knex';
import { down, up } from '../../../db/migrations/20261122_0039_seal_screenings.ts';
import { settleScreening } from '../../../db/lifecycle/settle-screening.ts';
import { findOpenTransaction } from '../../../db/transactions/find-transaction.ts';
import { sealingContext } from '../../../db/vault/contexts.ts';
import type { SanctionsScreening } from '../../../domain/sanctions-screening/schema.ts';
import type { Json } from '../../api-client.ts';
import { untilJudged } from '../../factories/judged.ts';
import { activateList, listEntry } from '../../factories/sanctions.ts';
import { createTransaction } from '../../factories/transaction.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);
const WALLET = 'qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq';
const LISTED = { type: 'NATURAL', name: 'Grigóri Rasputin' };

beforeAll(async () => {
  await activateList(api.db.pool, 'OFAC_SDN', [
    listEntry('101', 'RASPUTIN, Grigori', { wallets: [{ asset: 'BCH', address: WALLET }] }),
  ]);
});

/** Screens a stored transaction as its workflow does. */
async function screen(id: string): Promise<void> {
  const outcome = await untilJudged(api, await findOpenTransaction(api.db, tenant.id, id));
  if ((await settleScreening(api.db, outcome.settlement)) === 'STALE') throw new Error('stale');
}

async function screened(fields: Json = {}): Promise<string> {
  const { id } = await createTransaction(tenant, {
    originator: { type: 'NATURAL', name: 'Anna Keller' },
    beneficiary: LISTED,
    ...fields,
  });
  await screen(id);
  return id;
}

const history = async (query = '') => {
  const { body, headers } = await tenant.get<SanctionsScreening[]>(`/sanctions/history${query}`);
  expect(headers.get('x-total-count')).toBe(String(body.length));
  return body;
};

test('what is found of a transfer is sealed by its key alone', async () => {
  const transactionId = await screened();
  const [summary] = await history();
  expect(summary).toMatchObject({ screenedName: 'Grigóri Rasputin', sanctioned: true });
  const id = String(summary?.id);
  const { body } = await tenant.get<SanctionsScreening>(`/sanctions/history/${id}`);
  expect(body).toMatchObject({ id, sanctioned: true, request: { name: 'Grigóri Rasputin' } });
  const { rows } = await database.pool.query<{ transaction_id: string; subject: Buffer; answer: Buffer }>(
    'select transaction_id, subject, answer from screenings where id = $1',
    [id],
  );
  expect(rows[0]?.transaction_id).toBe(transactionId);
  const keys = await api.db.vault.tenantKeys(tenant.id);
  const { subject, answer } = sealingContext.sanctionsScreening;
  const open = await findOpenTransaction(api.db, tenant.id, transactionId);
  for (const [context, sealed] of [
    [subject(tenant.id, id), rows[0]?.subject],
    [answer(tenant.id, id), rows[0]?.answer],
  ] as const) {
    expect(() => keys.openBytes(context, sealed ?? Buffer.of())).toThrow();
    expect(open?.key.openBytes(context, sealed ?? Buffer.of()).toString()).toContain('Rasputin');
  }
});

test('screened again, it is the same screening with the newest answer; one person twice is one screening', async () => {
  const id = await screened({ originator: LISTED });
  const [first] = await history();
  await database.pool.query(
    `update transactions set screening_state = 'RECHECK', screening_due_since = now() where id = $1`,
    [id],
  );
  await screen(id);
  const [second, ...more] = await history();
  expect(more).toEqual([]);
  expect(second?.id).toBe(first?.id);
  expect(second?.screenedAt).not.toBe(first?.screenedAt);
  const { body } = await tenant.get(`/transactions/${id}/screening`);
  expect(JSON.stringify(body)).toContain(String(first?.id));
  const other = await screened();
  expect((await history()).map(({ id: found }) => found)).toEqual([
    expect.not.stringMatching(String(first?.id)),
    first?.id,
  ]);
  expect((await tenant.delete(`/transactions/${other}`)).status).toBe(204);
  expect((await history()).map(({ id: found }) => found)).toEqual([first?.id]);
});

test('a party whose name was corrected leaves the history, and another that still matches stays', async () => {
  const id = await screened({ originator: { type: 'NATURAL', name: 'G. Rasputin Grigori' } });
  expect(await history()).toHaveLength(2);
  const patch = async (body: Json) => {
    expect((await tenant.patch(`/transactions/${id}`, body)).status).toBe(200);
    await screen(id);
    return (await history()).map(({ screenedName }) => screenedName);
  };
  expect(await patch({ beneficiary: { name: 'Erika Mustermann' } })).toEqual(['G. Rasputin Grigori']);
  expect(await patch({ originator: { name: 'Rasputin Grigori' } })).toEqual(['Rasputin Grigori']);
  expect(await patch({ originator: { name: 'Anna Keller' } })).toEqual([]);
});

test('the screenings of another transfer with the same party stay', async () => {
  const [corrected] = [await screened(), await screened()];
  await tenant.patch(`/transactions/${corrected}`, { beneficiary: { name: 'Erika Mustermann' } });
  await screen(String(corrected));
  expect(await history()).toHaveLength(1);
});

test('once the transfer is deleted its screenings are in no list, under no id and found by no name', async () => {
  const id = await screened();
  const [screening] = await history('?q=rasp');
  const kept = await tenant.post<SanctionsScreening>('/sanctions/search', LISTED);
  expect(await history('?q=rasp')).toHaveLength(2);
  expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
  for (const query of ['', '?q=rasp', '?_sanctioned=true', `?_kind=NAME`]) {
    expect((await history(query)).map(({ id: found }) => found)).toEqual([kept.body.id]);
  }
  expect(await history(`?q=${screening?.id}`)).toEqual([]);
  expect((await tenant.get(`/sanctions/history/${screening?.id}`)).status).toBe(404);
  const suppression = { screeningId: screening?.id, listCode: 'OFAC_SDN', listingId: '101' };
  expect((await tenant.post('/sanctions/suppressions', suppression)).status).toBe(404);
});

test('a transfer that was erased hides its screenings as well', async () => {
  const id = await screened();
  const [screening] = await history();
  await database.pool.query('update screenings set transaction_id = gen_random_uuid() where id = $1', [
    screening?.id,
  ]);
  expect(await history()).toEqual([]);
  expect((await tenant.get(`/sanctions/history/${screening?.id}`)).status).toBe(404);
  expect(id).toBeDefined();
});

test('q finds an address in any spelling, ids by their beginning, and suppressions by both names', async () => {
  const { body: address } = await tenant.get<SanctionsScreening>(
    `/sanctions/addresses/bitcoincash:${WALLET}`,
  );
  for (const q of [
    WALLET,
    `bitcoincash:${WALLET}`,
    WALLET.toUpperCase(),
    WALLET.slice(0, 9),
    address.id.slice(0, 20),
  ]) {
    expect([q, (await history(`?q=${q}`)).map(({ id }) => id)]).toEqual([q, [address.id]]);
  }
  await screened();
  const [screening] = await history('?q=grigori');
  const body = { screeningId: screening?.id, listCode: 'OFAC_SDN', listingId: '101' };
  const { status, body: made } = await tenant.post('/sanctions/suppressions', body);
  expect(status).toBe(201);
  const found = async (q: string) => (await tenant.get<Json[]>(`/sanctions/suppressions?q=${q}`)).body;
  for (const q of ['grigo', 'RASPUTIN', '101', String(made['id']).slice(0, 20)]) {
    expect([q, (await found(q)).length]).toEqual([q, 1]);
  }
  expect(await found('keller')).toEqual([]);
});

test('the migration removes what nobody can say whose it is, and the way back what the version before cannot open', async () => {
  await screened();
  const { body: asked } = await tenant.post<SanctionsScreening>('/sanctions/search', LISTED);
  const all = async () =>
    (await database.pool.query<{ id: string }>('select id from screenings where tenant_id = $1', [tenant.id]))
      .rows;
  expect(await all()).toHaveLength(2);
  const db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
  try {
    await db.transaction(down);
    expect(await all()).toEqual([{ id: asked.id }]);
    await db.raw(
      `insert into screenings select gen_random_uuid(), tenant_id, kind, sanctioned, complete, total_matches,
         suppressed_matches, answered_by, engine_version, lists, '{"kind": "SYSTEM", "id": null}', name_token, subject_token,
         subject, answer, created_at from screenings where id = ?`,
      [asked.id],
    );
    await db.transaction(up);
  } finally {
    await db.destroy();
  }
  expect(await all()).toEqual([{ id: asked.id }]);
  // By its whole name, since it has no tokens of its words any more.
  expect((await history('?q=grigori%20rasputin')).map(({ id }) => id)).toEqual([asked.id]);
});

test.each<[string, Json]>([
  ['a message', {}],
  ["a payout to a customer's own wallet", { blockchainInfo: { destinationType: 'NON_CUSTODIAL' } }],
  ["a deposit of the tenant's own record", { direction: 'INCOMING' }],
])('of %s with a name of more words than are compared nobody says that it is clean', async (_, fields) => {
  const name = `${'ab cd ef gh '.repeat(6)}Grigori Rasputin`;
  const id = await screened({ beneficiary: { type: 'NATURAL', name }, ...fields });
  const { body } = await tenant.get<Json>(`/transactions/${id}`);
  expect(body).toMatchObject({ status: 'PENDING', subStatus: 'ON_HOLD' });
  expect((await findOpenTransaction(api.db, tenant.id, id))?.record.hold).toBe('UNSCREENED');
  const searched = await tenant.post<SanctionsScreening>('/sanctions/search', { name });
  expect(searched.body).toMatchObject({ complete: false, missingLists: [] });
});
