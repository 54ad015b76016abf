import { z } from 'zod';
import { attestAddress } from '../../db/attested-addresses/attest-address.ts';
import { newId } from '../../db/new-id.ts';
import {
  AttestAddressBody,
  AttestedAddress,
  newAttestation,
} from '../../domain/attested-addresses/attested-address.ts';
import { defineEndpoint, UuidParam } from '../endpoint.ts';

export const attestAddressEndpoint = defineEndpoint({
  operationId: 'attestAddress',
  method: 'POST',
  path: '/operator/tenants/{id}/attested-addresses',
  auth: 'OPERATOR',
  limit: 'WRITES',
  idempotency: 'TRANSACTION',
  tag: 'Operator',
  summary: 'Attest that an address is a tenant’s',
  description:
    'Messages route to a tenant by an address that it has registered, but not while labels give the address to another ' +
    'institution, or two tenants have registered it. An attestation settles both. It registers nothing: the tenant does. ' +
    'Messages that waited are now sent.',
  params: z.strictObject({ id: UuidParam }),
  body: AttestAddressBody,
  example: {
    body: {
      blockchain: 'Ethereum',
      address: '0x27b1fdb04752bbc536007a920d24acb045561c26',
      reason: 'Shown in the audit of January.',
    },
  },
  responses: { 201: { description: 'Attested.', schema: AttestedAddress } },
  errors: ['conflict'],
  async handle({ params, body, commit }) {
    const now = new Date();
    const attestation = newAttestation(body, { id: newId(now), tenantId: params.id, now });
    return await commit(async (tx) => {
      const { attested, outbox } = await attestAddress(tx, attestation);
      return { status: 201, body: attested, outbox };
    });
  },
});
