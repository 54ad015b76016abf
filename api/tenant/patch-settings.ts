import { ChangedSettings, PatchSettingsBody } from '../../domain/tenants/settings.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';
import { changeSettings } from './change-settings.ts';

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
    '`selfHosted.flowsAbove`. Logo and icon have uploads of their own; here null removes them. To switch `fourEyes` on takes two ' +
    'users who have set their password by a link of a mail (409 `conflict`), to switch any of it off two people; with ' +
    '`fourEyes.webhookUrl` so does another `addressQuestionUrl`: the first answer has `proposal`, and nothing of the request is changed.',
  body: PatchSettingsBody,
  example: { body: { selfHosted: { thresholdEur: '1000' }, screening: { maxListAgeHours: 72 } } },
  responses: { 200: { description: 'All settings, defaults included.', schema: ChangedSettings } },
  errors: ['not_found', 'conflict'],
  async handle({ body, caller, commit, log }, deps) {
    requireWebhookUrl(body.addressQuestionUrl, deps.settings, '/addressQuestionUrl');
    return await changeSettings(deps, { caller, commit, body, approves: null }, log);
  },
});
