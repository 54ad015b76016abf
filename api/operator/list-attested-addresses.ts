import { z } from 'zod';
import { listAttestedAddresses } from '../../db/attested-addresses/list-attested-addresses.ts';
import { AttestedAddress } from '../../domain/attested-addresses/attested-address.ts';
import { ListAttestedAddressesQuery } from '../../domain/attested-addresses/list.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';
import { answerPage, pageOf } from '../page-answer.ts';

export const listAttestedAddressesEndpoint = defineEndpoint({
  operationId: 'listAttestedAddresses',
  method: 'GET',
  path: '/operator/tenants/{id}/attested-addresses',
  auth: 'OPERATOR',
  limit: 'READS',
  tag: 'Operator',
  summary: 'List the addresses that were attested for a tenant',
  description: 'Newest first. `q` finds addresses by their beginning, in any case.',
  params: z.strictObject({ id: UuidParam }),
  query: ListAttestedAddressesQuery,
  responses: { 200: pageOf(AttestedAddress) },
  errors: [],
  handle: async ({ params, query }, { db }) => answerPage(await listAttestedAddresses(db, params.id, query)),
});
