import { randomUUID } from 'node:crypto';
import { createOutsider, linkedMessage, portalOf } from '../../factories/portal.ts';
import { useApi, useTenantPerTest } from '../../use-api.ts';

const { api } = useApi({ config: { RATE_LIMIT_HOSTED: 0 } });
const tenant = useTenantPerTest(api);

async function isRefused(
  { id, token }: { id: string; token: string },
  move: () => Promise<{ status: number }>,
) {
  // As after the mail with the link.
  await api.db.pool.query('update portal_links set mail_id = gen_random_uuid() where transaction_id = $1', [
    id,
  ]);
  const portal = portalOf(api, token);
  expect((await move()).status).toBe(200);
  expect((await portal.get('/portal/link')).body).toMatchObject({ state: 'ELSEWHERE' });
  expect((await portal.post('/portal/code')).status).toBe(409);
  expect((await portal.post('/portal/new-link')).status).toBe(409);
}

test('no new link is mailed to a mailbox that gets nothing, since its sender sends no mails any more', async () => {
  await isRefused(
    await linkedMessage(api, tenant),
    async () => await tenant.patch('/tenant/me/settings', { deliveryEmailEnabled: false }),
  );
});

test('nor since the directory has another mailbox', async () => {
  const name = `Harbour ${randomUUID()}`;
  const fields = { name, email: 'ops@harbour.example', emailDomains: ['harbour.example'] };
  const { id } = await createOutsider(api, fields);
  await isRefused(
    await linkedMessage(api, tenant, { beneficiaryVaspName: name }),
    async () =>
      await api.request('PATCH', `/operator/entities/${id}`, {
        operatorKey: api.operatorKey,
        body: { email: 'new@harbour.example' },
      }),
  );
});
