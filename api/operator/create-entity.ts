import { createEntity } from '../../db/entities/change-entity.ts';
import { newId } from '../../db/new-id.ts';
import { newEntity } from '../../domain/entities/change-entity.ts';
import { CreateEntityBody, OperatorEntity } from '../../domain/entities/schema.ts';
import { viewEntityForOperator } from '../../domain/entities/view-entity.ts';
import { defineEndpoint } from '../endpoint.ts';

export const createEntityEndpoint = defineEndpoint({
  operationId: 'createEntity',
  method: 'POST',
  path: '/operator/entities',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Add an entity to the directory',
  description:
    'Messages that wait for a VASP with its name or an alias are routed again. Without a risk in the body, the risk is ' +
    'estimated from type and countries.',
  body: CreateEntityBody,
  example: {
    body: { name: 'Fjord Exchange', type: 'exchange', countries: ['NO'], webpage: 'https://fjord.example' },
  },
  responses: { 201: { description: 'Added.', schema: OperatorEntity } },
  errors: ['conflict'],
  async handle({ body, commit }) {
    const now = new Date();
    const created = newEntity(body, { id: newId(now), now });
    return await commit(async (tx) => {
      const { entity, outbox } = await createEntity(tx, created, body.masterEntityId ?? null);
      return { status: 201, body: viewEntityForOperator(entity), outbox };
    });
  },
});
