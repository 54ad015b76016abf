import { getUser } from '../../db/users/get-user.ts';
import { User, viewUser } from '../../domain/users/schema.ts';
import { defineEndpoint } from '../endpoint.ts';
import { requireUser } from './require-user.ts';

export const getMeEndpoint = defineEndpoint({
  operationId: 'getSignedInUser',
  method: 'GET',
  path: '/users/me',
  auth: 'TENANT',
  limit: 'READS',
  tag: 'Users',
  summary: 'Read the signed-in user',
  description: 'For users: an API key is nobody and gets 403.',
  responses: { 200: { description: 'The user of the access token.', schema: User } },
  errors: [],
  async handle({ caller }, { db }) {
    return { status: 200, body: viewUser(await getUser(db, caller.tenantId, requireUser(caller))) };
  },
});
