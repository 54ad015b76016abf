import type { AttestedAddress } from '../../domain/attested-addresses/attested-address.ts';

export interface AttestationRow {
  id: string;
  tenant_id: string;
  address: string;
  blockchain: string;
  reason: string;
  created_at: Date;
}

/** SQL: the columns of `attested_addresses` that an attestation is read from. */
export const ATTESTATION_COLUMNS = 'id, tenant_id, address, blockchain, reason, created_at';

export function toAttestedAddress(row: AttestationRow): AttestedAddress {
  return {
    id: row.id,
    tenantId: row.tenant_id,
    address: row.address,
    blockchain: row.blockchain,
    reason: row.reason,
    createdAt: row.created_at.toISOString(),
  };
}
