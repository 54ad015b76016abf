import type pg from 'pg';
import type { AttestedAddress, NewAttestation } from '../../domain/attested-addresses/attested-address.ts';
import { DomainError } from '../../domain/errors.ts';
import type { OutboxEntry } from '../outbox.ts';
import { uniqueViolation, type Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { requireTenant } from '../tenants/require-tenant.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';
import { ATTESTATION_COLUMNS, toAttestedAddress, type AttestationRow } from './attestation-row.ts';

/**
 * Stores that an address is a tenant's. Messages to it that found no receiver are routed again. Throws not_found for an
 * unknown tenant, conflict when this is attested already.
 */
export async function attestAddress(
  tx: pg.PoolClient,
  attestation: NewAttestation,
): Promise<{ attested: AttestedAddress; outbox: OutboxEntry[] }> {
  const { addressNormal, tenantId, createdAt: now } = attestation;
  await lockRoutes(tx, [destinationRoute(addressNormal)]);
  await requireTenant(tx, tenantId);
  const attested = await insertAttestation(tx, attestation).catch(refuseAttested);
  return { attested, outbox: await wakeUnrouted(tx, { destinationsNormal: [addressNormal] }, now) };
}

function refuseAttested(error: unknown): never {
  if (uniqueViolation(error) !== 'attested_addresses_address') throw error;
  throw new DomainError('conflict', 'This address is attested for this tenant already.');
}

async function insertAttestation(tx: Queryable, attestation: NewAttestation): Promise<AttestedAddress> {
  const { id, tenantId, address, addressNormal, blockchain, blockchainKey, reason, createdAt } = attestation;
  const { rows } = await tx.query<AttestationRow>(
    `insert into attested_addresses
       (id, tenant_id, address, address_normal, blockchain, blockchain_key, reason, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${ATTESTATION_COLUMNS}`,
    [id, tenantId, address, addressNormal, blockchain, blockchainKey, reason, createdAt],
  );
  if (!rows[0]) throw new Error('the attestation was not stored');
  return toAttestedAddress(rows[0]);
}
