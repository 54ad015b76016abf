import { z } from 'zod';
import { deleteAttestation } from '../../db/attested-addresses/delete-attestation.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const deleteAttestedAddressEndpoint = defineEndpoint({
  operationId: 'deleteAttestedAddress',
  method: 'DELETE',
  path: '/operator/tenants/{id}/attested-addresses/{attestationId}',
  auth: 'OPERATOR',
  limit: 'WRITES',
  tag: 'Operator',
  summary: 'Withdraw the attestation of an address',
  description: 'Messages that were delivered meanwhile stay where they are.',
  params: z.strictObject({ id: UuidParam, attestationId: UuidParam }),
  responses: { 204: { description: 'Withdrawn.', schema: null } },
  errors: [],
  async handle({ params: { id: tenantId, attestationId: id }, commit }) {
    return await commit(async (tx) => {
      const outbox = await deleteAttestation(tx, { tenantId, id, now: new Date() });
      return { status: 204, body: undefined, outbox };
    });
  },
});
