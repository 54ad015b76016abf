import {
  needsNewWebhookSecret,
  patchTenant,
  patchTenantAsOperator,
} from '../../../domain/tenants/patch-tenant.ts';
import { NO_LIMITS_OF_ITS_OWN } from '../../../domain/tenants/rate-limits.ts';
import type { TenantRecord } from '../../../domain/tenants/tenant.ts';

const now = new Date('2026-05-01T00:00:00Z');
const tenant: TenantRecord = {
  id: '0190d1a2-7b3c-7def-8123-456789abcdef',
  entityId: '0190d1a2-7b3c-7def-8123-456789abcdee',
  name: 'Alpine Exchange',
  legalName: 'Alpine AG',
  email: null,
  country: 'CH',
  registrationNumber: null,
  lei: null,
  webpage: null,
  webhookUrl: 'https://hooks.alp.example/',
  webhookStatus: 'DISABLED',
  rateLimits: { reads: 5, writes: null, screening: null },
  answersRoute: false,
  suspendedAt: null,
  createdAt: new Date('2026-01-01T00:00:00Z'),
  updatedAt: new Date('2026-01-01T00:00:00Z'),
};

test('a field sets, null clears, an absent one stays', () => {
  expect(patchTenant(tenant, { email: 'a@alp.example', legalName: null, country: undefined }, now)).toEqual({
    ...tenant,
    email: 'a@alp.example',
    legalName: null,
    updatedAt: now,
  });
});

test('a patch without effect gives the very same record', () => {
  expect(patchTenant(tenant, { legalName: 'Alpine AG', email: null }, now)).toBe(tenant);
  expect(patchTenantAsOperator(tenant, { name: tenant.name, rateLimits: { reads: 5 } }, now)).toBe(tenant);
});

test.each<[string | null, TenantRecord['webhookStatus'], boolean]>([
  ['https://hooks.alp.example/', 'ACTIVE', false],
  ['https://hooks.alp.example/2', 'ACTIVE', true],
  [null, null, false],
])('webhook URL %j: status %s, new secret %s', (webhookUrl, status, renewed) => {
  const after = patchTenant(tenant, { webhookUrl }, now);
  expect(after).toMatchObject({ webhookUrl, webhookStatus: status });
  expect(needsNewWebhookSecret(tenant, after)).toBe(renewed);
});

test('limits change one by one; null for all of them leaves none of its own', () => {
  expect(patchTenantAsOperator(tenant, { rateLimits: { writes: 0, reads: null } }, now).rateLimits).toEqual({
    reads: null,
    writes: 0,
    screening: null,
  });
  expect(patchTenantAsOperator(tenant, { rateLimits: null }, now).rateLimits).toEqual(NO_LIMITS_OF_ITS_OWN);
});
