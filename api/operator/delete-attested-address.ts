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
  async handle({ params }, { db }) {
    await deleteAttestation(db.pool, params.id, params.attestationId);
    return { status: 204 };
  },
});
