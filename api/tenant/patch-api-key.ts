import { z } from 'zod';
import { limitApiKey } from '../../db/api-keys/limit-api-key.ts';
import { isAllowedFrom } from '../../domain/api-keys/allowed-ips.ts';
import { ApiKey, PatchApiKeyBody } from '../../domain/api-keys/schema.ts';
import { invalidField } from '../../domain/errors.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { apiKeyView } from './show-api-key.ts';

export const patchApiKeyEndpoint = defineEndpoint({
  operationId: 'patchApiKey',
  method: 'PATCH',
  path: '/tenant/me/api-keys/{id}',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Limit an API key to addresses',
  description:
    'Takes effect with the next request: from any other address the key is refused with `ip_not_allowed`. A key cannot lock ' +
    'itself out, but it can lock out others: if no key of role ADMIN can be used any more, and no user of that role is ' +
    'left, only the operator can help.',
  params: z.strictObject({ id: UuidParam }),
  body: PatchApiKeyBody,
  example: { body: { allowedIps: ['203.0.113.7', '2001:db8:4::/48'] } },
  responses: { 200: { description: 'The key.', schema: ApiKey } },
  errors: [],
  async handle({ params: { id }, body: { allowedIps }, caller, ip, log }, deps) {
    if (caller.actor.id === id && !isAllowedFrom(allowedIps, ip)) throw lockedOut();
    const view = await apiKeyView(deps, caller.tenantId);
    const changed = await deps.writeInTurn(
      caller.tenantId,
      async () => await limitApiKey(deps.db, caller.tenantId, id, allowedIps),
    );
    log.info(
      { audit: 'API_KEY_LIMITED', ...loggedCaller(caller), changedKeyId: id, isLimited: allowedIps !== null },
      'the addresses of an API key were set',
    );
    return { status: 200, body: view(changed) };
  },
});

function lockedOut(): Error {
  const message = 'The list does not contain the address of this request: the key would lock itself out.';
  return invalidField('/allowedIps', 'own_address_missing', message);
}
