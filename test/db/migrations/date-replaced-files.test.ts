import knex, { type Knex } from 'knex';
import { up } from '../../../db/migrations/20261122_0048_date_replaced_files.ts';
import { formOf, png } from '../../factories/evidence.ts';
import { createVerification } from '../../factories/verification.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api, database } = useApi();
const tenant = useTenantPerTest(api);

let db: Knex;
beforeAll(() => {
  db = knex({ client: 'pg', connection: database.url, pool: { min: 0, max: 1 } });
});
afterAll(async () => await db.destroy());

const KIND = 'SOURCE_OF_FUNDS_WEALTH';
const pathOf = (id: string) => `/wallet-verification/${id}/additional-steps/${KIND}`;

async function give(id: string, text: string): Promise<void> {
  const response = await fetch(api.url + pathOf(id), {
    method: 'POST',
    headers: { 'X-Api-Key': tenant.apiKey },
    body: formOf({}, [{ fileName: 'a.png', content: png({ text }) }]),
  });
  expect(response.status).toBe(200);
}

const decide = async (id: string, status: 'VERIFIED' | 'DECLINED') => {
  expect((await tenant.patch(pathOf(id), { status })).status).toBe(200);
};

/** A verification whose first paper was declined and whose second one was decided so, with no date as 0043 left them. */
async function replaced(status: 'VERIFIED' | 'DECLINED'): Promise<string> {
  const { id } = await createVerification(tenant, { additionalSteps: [{ kind: KIND }] });
  await give(id, 'first');
  await decide(id, 'DECLINED');
  await give(id, 'second');
  await decide(id, status);
  return id;
}

async function datesOf(id: string): Promise<(Date | null)[]> {
  const { rows } = await database.pool.query<{ refused_at: Date | null }>(
    'select refused_at from verification_files where verification_id = $1 order by created_at',
    [id],
  );
  return rows.map(({ refused_at }) => refused_at);
}

const forget = async (id: string) =>
  await database.pool.query('update verification_files set refused_at = null where verification_id = $1', [
    id,
  ]);

test('migration 0048 dates a file that was replaced by when that was, and not the one in its place', async () => {
  const id = await replaced('VERIFIED');
  const [first] = await datesOf(id);
  await forget(id);
  await db.transaction(up);
  const [date, second] = await datesOf(id);
  expect(date?.getTime()).toBeGreaterThanOrEqual(first?.getTime() ?? NaN);
  expect(date?.getTime()).toBeLessThanOrEqual(Date.now());
  expect(second).toBeNull();
});

test('migration 0048 leaves files of uploads that ran side by side', async () => {
  const id = await replaced('VERIFIED');
  await forget(id);
  await database.pool.query(
    `update verification_files f set created_at = o.created_at - interval '1 millisecond'
     from (select min(created_at) as created_at from verification_files where verification_id = $1) o
     where f.verification_id = $1 and f.created_at <> o.created_at`,
    [id],
  );
  await db.transaction(up);
  expect(await datesOf(id)).toEqual([null, null]);
});

test('migration 0048 counts from the decision on a paper that was dated by the end of its verification', async () => {
  const id = await replaced('DECLINED');
  const [first, second] = await datesOf(id);
  await database.pool.query(
    `update verification_files set refused_at = refused_at - interval '20 days' where verification_id = $1`,
    [id],
  );
  await db.transaction(up);
  const [earlier, decided] = await datesOf(id);
  expect(decided).toEqual(second);
  expect(earlier?.getTime()).toBe((first?.getTime() ?? 0) - 20 * 24 * 3_600_000);
});
