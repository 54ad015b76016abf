import { z } from 'zod';
import { addressAt, blockchainKey } from '../normalised-places.ts';
import { Address, Blockchain, text } from '../schema-fields.ts';

/** The body of `POST /operator/tenants/{id}/attested-addresses`. */
export const AttestAddressBody = z
  .strictObject({
    blockchain: Blockchain.describe('Name, alias, CAIP-2 id or EVM chain id.'),
    address: Address,
    reason: text(2_000).describe('How the operator knows that the address is the tenant’s.'),
  })
  .meta({ id: 'AttestAddress' });
export type AttestAddressBody = z.infer<typeof AttestAddressBody>;

/** An address as operators read it. */
export const AttestedAddress = z
  .strictObject({
    id: z.uuid(),
    tenantId: z.uuid(),
    blockchain: z.string(),
    address: z.string(),
    reason: z.string(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AttestedAddress' });
export type AttestedAddress = z.infer<typeof AttestedAddress>;

/** An operator's statement that an address is a tenant's, whatever labels say. */
export interface NewAttestation {
  id: string;
  tenantId: string;
  blockchain: string;
  blockchainKey: string;
  address: string;
  addressNormal: string;
  reason: string;
  createdAt: Date;
}

/** A new attestation. Throws validation_failed for an address that is none of its blockchain. */
export function newAttestation(
  { blockchain, address, reason }: AttestAddressBody,
  { id, tenantId, now }: { id: string; tenantId: string; now: Date },
): NewAttestation {
  return {
    id,
    tenantId,
    blockchain,
    blockchainKey: blockchainKey(blockchain),
    address,
    addressNormal: addressAt('/address', blockchain, address),
    reason,
    createdAt: now,
  };
}
