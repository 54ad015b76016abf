import type { Json } from '../../api-client.ts';
import { createTransaction, evmHash } from '../../factories/transaction.ts';
import { useApi, useTenant } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenant(api);
const KNOWN = { originator: { name: 'Anna Keller' }, metadata: 'voucher seven' };

/** The row's version and what is stored of its party data and search tokens. */
async function stored(id: string) {
  const { rows } = await database.pool.query<{ version: number; personal: Buffer; tokens: string[] }>(
    'select version, personal, search_tokens as tokens from transactions where id = $1',
    [id],
  );
  if (!rows[0]) throw new Error('it was not stored');
  return rows[0];
}

const change = async (id: string, body: Json) =>
  expect((await tenant.patch(`/transactions/${id}`, body)).status).toBe(200);
const found = async (words: string) => (await tenant.get<Json[]>(`/transactions?q=${words}`)).body.length;

test('a change that leaves names and notes alone seals nothing again, and the record is found as before', async () => {
  const { id } = await createTransaction(tenant, KNOWN);
  const { personal, tokens } = await stored(id);
  expect(tokens.length).toBeGreaterThan(0);
  await change(id, { transactionHash: evmHash() });
  expect(await stored(id)).toMatchObject({ version: 2, personal, tokens });
  expect(await found('voucher')).toBe(1);
  expect((await tenant.get(`/transactions/${id}`)).body).toMatchObject({
    originator: { name: 'Anna Keller' },
  });
});

test('a change of either is sealed anew and searched by its new words', async () => {
  const { id } = await createTransaction(tenant, { ...KNOWN, metadata: 'voucher turquoise' });
  const before = await stored(id);
  await change(id, { metadata: 'voucher eight' });
  const after = await stored(id);
  expect(after.personal.equals(before.personal)).toBe(false);
  expect(after.tokens).not.toEqual(before.tokens);
  expect([await found('turquoise'), await found('eight')]).toEqual([0, 1]);
});

test('a deleted record is found by nothing', async () => {
  const { id } = await createTransaction(tenant, { metadata: 'voucher nine' });
  expect((await tenant.delete(`/transactions/${id}`)).status).toBe(204);
  expect((await stored(id)).tokens).toEqual([]);
  expect(await found('nine')).toBe(0);
});
