import { beginErasure } from '../../../db/tenant-erasures/begin-erasure.ts';
import { lockAllNames } from '../../../db/routes/name-lock.ts';
import { eventually } from '../../eventually.ts';
import { createTenant } from '../../factories/tenant.ts';
import { erasuresOf, NAMED_OPERATORS } from '../../factories/tenant-erasure.ts';
import { createBody } from '../../factories/transaction.ts';
import { goesOn, holdLocks, waitingForAdvisoryLocks, waitingForRows } from '../../factories/held-locks.ts';
import { useApi } from '../../use-api.ts';

const POOL = 8;
const { api } = useApi({ config: { OPERATOR_KEYS: NAMED_OPERATORS, DATABASE_POOL: POOL } });
const { plan, approve, fireTimer } = erasuresOf(api);

// Creations of all tenants share statements, so that nobody's goes on while one waits for the row of its tenant.
test('while the erasure of a tenant begins, which may wait for an import of the directory, it and all others still create', async () => {
  const [tenant, other] = [await createTenant(api), await createTenant(api)];
  const { body } = await plan(tenant.id);
  await approve(tenant.id);
  await fireTimer(tenant.id);
  const release = await holdLocks(api, async (tx) => await lockAllNames(tx));
  const begun = beginErasure(api.db, body.id, new Date(Date.now() + 1_000));
  await eventually(
    async () => await waitingForAdvisoryLocks(api),
    (count) => count === 1,
  );
  const own = await Promise.all(
    [1, 2, 3].map(async () => (await tenant.post('/transactions', createBody())).status),
  );
  expect(own).toEqual([201, 201, 201]);
  await goesOn(other, POOL, release);
  expect(await begun).toMatchObject({ next: 'ERASE' });
  expect((await tenant.get('/tenant/me')).status).toBe(401);
});

test('a legal hold waits for an erasure that begins, and finds the tenant gone', async () => {
  const tenant = await createTenant(api);
  const { body: made } = await tenant.post<{ id: string }>('/transactions', createBody());
  const { body } = await plan(tenant.id, { override: true });
  await approve(tenant.id, { override: true });
  await fireTimer(tenant.id);
  const release = await holdLocks(api, async (tx) => await lockAllNames(tx));
  const begun = beginErasure(api.db, body.id, new Date(Date.now() + 1_000));
  await eventually(
    async () => await waitingForAdvisoryLocks(api),
    (count) => count === 1,
  );
  const held = tenant.put(`/transactions/${made.id}/legal-hold`, { hold: true, reason: 'A case.' });
  await eventually(
    async () => await waitingForRows(api),
    (count) => count === 1,
  );
  await release();
  expect(await begun).toMatchObject({ next: 'ERASE' });
  expect((await held).status).toBe(404);
});
