import { listUsers } from '../../db/users/list-users.ts';
import { ListUsersQuery, User, viewUser } from '../../domain/users/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listUsersEndpoint = defineEndpoint({
  operationId: 'listUsers',
  method: 'GET',
  path: '/users',
  auth: 'TENANT',
  permission: 'EXPORT',
  limit: 'READS',
  tag: 'Users',
  summary: 'List users',
  description:
    'Newest first. `q` finds an id by its start and a whole e-mail address: addresses are stored encrypted.',
  query: ListUsersQuery,
  example: { query: { _role: ['COMPLIANCE'] } },
  responses: { 200: pageOf(User) },
  errors: [],
  async handle({ query, caller }, { db }) {
    return answerPage(await listUsers(db, caller.tenantId, query), viewUser);
  },
});
