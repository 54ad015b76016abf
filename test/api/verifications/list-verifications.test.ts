import type { WalletVerification } from '../../../domain/verifications/schema.ts';
import { startTestApi, type TestApi } from '../../api-client.ts';
import { testDatabase, type TestDatabase } from '../../database.ts';
import { createTenant, type TestTenant } from '../../factories/tenant.ts';
import { createVerification, submit } from '../../factories/verification.ts';

let database: TestDatabase;
let api: TestApi;
let tenant: TestTenant;
let made: WalletVerification[];

beforeAll(async () => {
  database = await testDatabase();
  api = await startTestApi(database);
  tenant = await createTenant(api);
  made = [
    await createVerification(tenant, { metadata: 'Jürgen Müller, order 17' }),
    await createVerification(tenant, { asset: 'USDC', additionalSteps: [{ kind: 'SELFIE' }] }),
    await createVerification(tenant, { metadata: 'Anna Keller' }),
  ];
  await submit(tenant, made[2]?.id ?? '', { verificationFlow: 'SELF_DECLARED' });
  await createVerification(await createTenant(api), { metadata: 'Anna Keller' });
});
afterAll(async () => {
  await api.stop();
  await database.drop();
});

async function found(query: string): Promise<number[]> {
  const { status, body } = await tenant.get<WalletVerification[]>(`/wallet-verification?${query}`);
  expect(status).toBe(200);
  return body.map(({ id }) => made.findIndex((one) => one.id === id));
}

test.each([
  ['', [2, 1, 0]],
  ['_sort=createdAt', [0, 1, 2]],
  ['_sort=asset&_order=DESC', [1, 2, 0]],
  ['_start=1&_end=2', [1]],
  ['_status=PENDING', [1, 0]],
  ['_status=PENDING,VERIFIED', [2, 1, 0]],
  ['_status=DELETED', []],
  ['_flow=SELF_DECLARED', [2]],
  ['_flow=SIGNATURE_PROOF', []],
  ['_step=NOT_STARTED', [1]],
  ['_step=NOT_STARTED,VERIFIED', [1]],
  ['_step=ACTION_REQUIRED', []],
  ['q=jurgen', [0]],
  ['q=MÜLL', [0]],
  ['q=order%2017', [0]],
  ['q=anna%20muller', []],
  ['q=kel', [2]],
])('%s finds %j', async (query, expected) => {
  expect(await found(query)).toEqual(expected);
});

test('q finds an address in any spelling and by its beginning, and an id', async () => {
  const [first] = made;
  const address = first?.address ?? '';
  expect(await found(`q=${address}`)).toEqual([0]);
  expect(await found(`q=${address.toUpperCase().replace('0X', '0x')}`)).toEqual([0]);
  expect(await found(`q=${address.slice(0, 12)}`)).toEqual([0]);
  expect(await found(`q=${first?.id}`)).toEqual([0]);
});

test('X-Total-Count is the number of all that match, and can be left out', async () => {
  const page = await tenant.get('/wallet-verification?_end=1&_status=PENDING');
  expect(page.headers.get('X-Total-Count')).toBe('2');
  const bare = await tenant.get('/wallet-verification', { headers: { Prefer: 'count=none' } });
  expect(bare.headers.get('X-Total-Count')).toBeNull();
});

test.each([
  '_end=101',
  '_sort=address',
  '_status=NOPE',
  '_flow=NOPE',
  '_step=NOPE',
  '_nope=1',
  '_start=2&_end=1',
])('%s is 400', async (query) => {
  expect((await tenant.get(`/wallet-verification?${query}`)).status).toBe(400);
});

test('a page of both kinds in the change feed names them', async () => {
  const { body } = await tenant.get<{ events: { kind: string; id: string; type: string }[] }>('/events');
  expect(body.events.filter(({ id }) => id === made[2]?.id)).toMatchObject([
    { kind: 'wallet-verification', type: 'CREATED' },
    { kind: 'wallet-verification', type: 'PROOF_ACCEPTED' },
  ]);
});
