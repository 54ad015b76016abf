import { changeTenantSettings } from '../../db/tenants/change-tenant-settings.ts';
import { PatchSettingsBody, Settings } from '../../domain/tenants/settings.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';

export const patchSettingsEndpoint = defineEndpoint({
  operationId: 'patchTenantSettings',
  method: 'PATCH',
  path: '/tenant/me/settings',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Change the settings',
  description:
    'null returns a setting to its default, but for `selfHosted.thresholdEur` and `selfHosted.maxProofAgeDays` it means ' +
    'no limit. Above the threshold, a transfer to or from a self-hosted wallet waits for a proof by one of ' +
    '`selfHosted.flowsAbove`. Logo and icon have uploads of their own; here null removes them.',
  body: PatchSettingsBody,
  example: { body: { selfHosted: { thresholdEur: '1000' }, screening: { maxListAgeHours: 72 } } },
  responses: { 200: { description: 'All settings, defaults included.', schema: Settings } },
  errors: ['not_found'],
  async handle({ body, caller, log }, { db }) {
    const settings = await changeTenantSettings(db, caller.tenantId, body);
    if (body.fourEyes) {
      const { fourEyes } = settings;
      log.info(
        { audit: 'FOUR_EYES_SET', ...loggedCaller(caller), fourEyes },
        'four eyes were switched on or off',
      );
    }
    if (body.maskApiKeys !== undefined) {
      const { maskApiKeys } = settings;
      log.info(
        { audit: 'API_KEY_MASKING_SET', ...loggedCaller(caller), maskApiKeys },
        'masking of API keys was switched on or off',
      );
    }
    return { status: 200, body: settings };
  },
});
