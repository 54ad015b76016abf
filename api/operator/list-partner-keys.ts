import { z } from 'zod';
import { requirePartner } from '../../db/partners/get-partner.ts';
import { listPartnerKeys } from '../../db/partners/partner-keys.ts';
import { PartnerKey } from '../../domain/partners/schema.ts';
import { viewPartnerKey } from '../../domain/partners/view-partner.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const listPartnerKeysEndpoint = defineEndpoint({
  operationId: 'listPartnerKeys',
  method: 'GET',
  path: '/operator/partners/{id}/api-keys',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the keys of a partner',
  description: 'Newest first. Of each key only its prefix and its last four characters are known.',
  params: z.strictObject({ id: UuidParam }),
  responses: {
    200: { description: 'All keys, including revoked and expired ones.', schema: z.array(PartnerKey) },
  },
  errors: [],
  async handle({ params: { id } }, { db }) {
    await requirePartner(db.pool, id);
    const keys = await listPartnerKeys(db.pool, id);
    return { status: 200, body: keys.map((key) => viewPartnerKey(key)) };
  },
});
