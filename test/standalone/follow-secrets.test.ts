import { readTenant, type DemoTenant } from '../../standalone/demo-data.ts';
import { followSecrets } from '../../standalone/follow-secrets.ts';
import { eventually } from '../eventually.ts';
import { useApi, useTenant } from '../use-api.ts';

const { api } = useApi({ config: { WEBHOOK_ALLOWED_HOSTS: ['127.0.0.1'] } });
const tenant = useTenant(api);

test('a changed webhookUrl makes a new secret, which is told with all tenants; an end is an end', async () => {
  const { webhookUrl: _webhookUrl, ...before } = await readTenant(api.url, tenant.apiKey);
  const told: DemoTenant[][] = [];
  const end = followSecrets({ apiUrl: api.url, tenants: [before] }, (tenants) => told.push(tenants));
  try {
    await tenant.patch('/tenant/me', { webhookUrl: 'http://127.0.0.1:4000/' });
    await eventually(
      () => told.length,
      (times) => times === 1,
    );
  } finally {
    end();
  }
  const { webhookSecret } = await readTenant(api.url, tenant.apiKey);
  expect(webhookSecret).not.toBe(before.webhookSecret);
  expect(told).toEqual([[{ ...before, webhookSecret }]]);
});
