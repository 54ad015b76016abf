import { z } from 'zod';
import { getVersion } from '../../db/sanctions-lists/list-versions.ts';
import { rollBack } from '../../db/sanctions-lists/roll-back.ts';
import { ListCode } from '../../domain/sanctions-lists/list-code.ts';
import { ListVersion, RollbackBody, viewVersion } from '../../domain/sanctions-lists/schema.ts';
import { defineEndpoint } from '../endpoint.ts';

export const rollBackListEndpoint = defineEndpoint({
  operationId: 'rollBackSanctionsList',
  method: 'POST',
  path: '/operator/lists/{code}/rollback',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Make an earlier version of a sanctions list active again',
  description:
    'The contents of the earlier version become a new version. The list is still fetched from its publisher every hour: ' +
    'a later publication becomes active, but the one that was rolled back does not return by itself.',
  params: z.strictObject({ code: ListCode }),
  body: RollbackBody,
  example: { body: { version: 1 } },
  responses: { 201: { description: 'The new version.', schema: ListVersion } },
  errors: ['conflict'],
  async handle({ params: { code }, body, commit }) {
    return await commit(async (tx) => {
      const version = await rollBack(tx, { code, version: body.version, now: new Date() });
      return { status: 201, body: viewVersion(await getVersion(tx, code, version)) };
    });
  },
});
