import { putServiceKey } from '../../db/aml/service-keys.ts';
import { PutServiceKeyBody, ServiceKey, viewServiceKey } from '../../domain/aml/service-key.ts';
import { loggedCaller } from '../caller.ts';
import { defineEndpoint } from '../endpoint.ts';

export const putServiceKeyEndpoint = defineEndpoint({
  operationId: 'putServiceKey',
  method: 'PUT',
  path: '/tenant/me/service-keys',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'WRITES',
  tag: 'Tenant',
  summary: 'Store the key of an outside service',
  description:
    'Activates the provider for the feature and replaces the previous one. The key is not tested: the first check shows ' +
    'whether the provider accepts it.',
  body: PutServiceKeyBody,
  example: { body: { feature: 'aml_check', provider: 'builtin' } },
  responses: { 200: { description: 'The stored key in encrypted form.', schema: ServiceKey } },
  errors: [],
  async handle({ body, caller, log }, { db, writeInTurn }) {
    const stored = await writeInTurn(
      caller.tenantId,
      async () => await putServiceKey(db, caller.tenantId, body, new Date()),
    );
    const { feature, provider } = body;
    log.info(
      { audit: 'SERVICE_KEY_STORED', ...loggedCaller(caller), feature, provider },
      'a service key was stored',
    );
    return { status: 200, body: viewServiceKey(stored) };
  },
});
