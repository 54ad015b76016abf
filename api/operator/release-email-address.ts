import { endProposalsOfUser } from '../../db/proposals/end-proposals.ts';
import { loggedCaller } from '../caller.ts';
import { z } from 'zod';
import { releaseAddress } from '../../db/users/free-address.ts';
import { notFound } from '../../domain/errors.ts';
import { EmailAddress } from '../../domain/users/email-address.ts';
import { defineEndpoint } from '../endpoint.ts';

const ReleaseAddressBody = z
  .strictObject({ email: EmailAddress.describe('In any case of letters.') })
  .meta({ id: 'ReleaseAddress' });

const ReleasedAddress = z
  .strictObject({
    userId: z
      .uuid()
      .describe('The user who had the address. Disabled now, and in the list of users as before.'),
    tenantId: z.uuid().describe('The tenant of the user.'),
  })
  .meta({ id: 'ReleasedAddress' });

export const releaseEmailAddressEndpoint = defineEndpoint({
  operationId: 'releaseEmailAddress',
  method: 'POST',
  path: '/operator/users/released-addresses',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Take an e-mail address from a user',
  description:
    'An administrator can make a user for an address that is not theirs, and its owner can then be a user of no other tenant. ' +
    'This disables the user, ends their sessions and links, and makes the address free for a new user of any tenant.',
  body: ReleaseAddressBody,
  example: { body: { email: 'lena.frei@alpine.example' } },
  responses: { 201: { description: 'The address is free.', schema: ReleasedAddress } },
  errors: ['not_found'],
  async handle({ body: { email }, caller, commit, log }, { db }) {
    const now = new Date();
    return await commit(async (tx) => {
      const released = await releaseAddress(db, tx, email, now);
      if (!released) throw notFound('user');
      await endProposalsOfUser(tx, { ...released, now });
      log.info(
        { audit: 'ADDRESS_RELEASED', ...loggedCaller(caller), ...released },
        'an operator took an e-mail address from a user',
      );
      return { status: 201, body: released };
    });
  },
});
