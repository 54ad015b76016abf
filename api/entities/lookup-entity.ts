import { findNamedEntity } from '../../db/entities/find-named-entity.ts';
import { getEntity } from '../../db/entities/get-entity.ts';
import { LookupEntityQuery } from '../../domain/entities/list.ts';
import { DetailedEntity } from '../../domain/entities/schema.ts';
import { viewDetailedEntity } from '../../domain/entities/view-entity.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import { foldName } from '../../domain/fold.ts';
import { defineEndpoint } from '../endpoint.ts';

export const lookupEntityEndpoint = defineEndpoint({
  operationId: 'lookupEntity',
  method: 'GET',
  path: '/entities/lookup',
  auth: 'TENANT',
  audit: 'NOTHING',
  limit: 'READS',
  tag: 'Entities',
  summary: 'Find an entity by its name',
  description:
    'Compares the whole name or an alias, ignoring case, accents and repeated spaces, exactly as routing does. The name ' +
    'of a duplicate returns its master. A name that several entities share is 404, because routing cannot use it either.',
  query: LookupEntityQuery,
  example: { query: { name: 'Harbour Custody' } },
  responses: { 200: { description: 'The entity.', schema: DetailedEntity } },
  errors: ['not_found'],
  async handle({ query }, { db }) {
    const found = await findNamedEntity(db.pool, foldName(query.name));
    if (found === null) throw notFound('entity');
    if (found === 'AMBIGUOUS') {
      throw new DomainError('not_found', 'Several entities have this name; look for them with `q`.');
    }
    return { status: 200, body: viewDetailedEntity(await getEntity(db.pool, found.entityId)) };
  },
});
