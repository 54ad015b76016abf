import { z } from 'zod';
import { listServiceKeys } from '../../db/aml/service-keys.ts';
import { sumCredits } from '../../db/aml/sum-credits.ts';
import { UsedServiceKey, viewServiceKey } from '../../domain/aml/service-key.ts';
import { defineEndpoint } from '../endpoint.ts';

export const listServiceKeysEndpoint = defineEndpoint({
  operationId: 'listServiceKeys',
  method: 'GET',
  path: '/tenant/me/service-keys',
  auth: 'TENANT',
  permission: 'ADMINISTER',
  limit: 'READS',
  tag: 'Tenant',
  summary: 'List the keys of outside services',
  responses: {
    200: {
      description:
        'One key per active feature, in encrypted form, with its usage in this calendar month (UTC).',
      schema: z.array(UsedServiceKey),
    },
  },
  errors: [],
  async handle({ caller: { tenantId } }, { db }) {
    const to = new Date();
    const from = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth()));
    const [keys, used] = await Promise.all([
      listServiceKeys(db.pool, tenantId),
      sumCredits(db.pool, tenantId, { from, to }),
    ]);
    const usageOf = (provider: string) => {
      const { checks = 0, credits = 0 } = used.find((one) => one.provider === provider) ?? {};
      return { checks, credits };
    };
    return {
      status: 200,
      body: keys.map((key) => ({ ...viewServiceKey(key), usage: usageOf(key.provider) })),
    };
  },
});
