import { z } from 'zod';
import { listBrakes } from '../../db/brakes/list-brakes.ts';
import { requireTenant } from '../../db/tenants/require-tenant.ts';
import { Brake, ListBrakesQuery, viewBrake } from '../../domain/brakes/schema.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listBrakesAsOperatorEndpoint = defineEndpoint({
  operationId: 'listBrakesAsOperator',
  method: 'GET',
  path: '/operator/tenants/{id}/brakes',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the brakes of a tenant',
  description: 'Newest first, those of the tenant too. `q` finds ids by their beginning.',
  params: z.strictObject({ id: UuidParam }),
  query: ListBrakesQuery,
  responses: { 200: pageOf(Brake) },
  errors: [],
  async handle({ params, query }, { db }) {
    await requireTenant(db.pool, params.id);
    return answerPage(await listBrakes(db, params.id, query), viewBrake);
  },
});
