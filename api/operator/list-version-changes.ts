import { z } from 'zod';
import { listVersionChanges } from '../../db/sanctions-lists/list-changes.ts';
import { getVersion } from '../../db/sanctions-lists/list-versions.ts';
import { ListCode } from '../../domain/sanctions-lists/list-code.ts';
import { ListChange, ListChangesQuery } from '../../domain/sanctions-lists/schema.ts';
import { defineEndpoint, IdParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listVersionChangesEndpoint = defineEndpoint({
  operationId: 'listSanctionsListChanges',
  method: 'GET',
  path: '/operator/lists/{code}/versions/{version}/changes',
  auth: 'OPERATOR',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the changes of a version of a sanctions list',
  description:
    'The subjects that the version added, changed and removed, compared with the active version before it. A rejected ' +
    'version has changed nothing. `q` finds parts of the primary name and beginnings of the id.',
  params: z.strictObject({ code: ListCode, version: IdParam }),
  query: ListChangesQuery,
  responses: { 200: pageOf(ListChange) },
  errors: [],
  async handle({ params, query }, { db }) {
    await getVersion(db.pool, params.code, params.version);
    return answerPage(await listVersionChanges(db.pool, params, query));
  },
});
