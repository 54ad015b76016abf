import { notFound } from '../../domain/errors.ts';
import type { OutboxEntry } from '../outbox.ts';
import type { Queryable } from '../postgres.ts';
import { destinationRoute, lockRoutes } from '../routes/route-lock.ts';
import { wakeUnrouted } from '../transactions/wake-unrouted.ts';

interface WithdrawnAttestation {
  tenantId: string;
  id: string;
  now: Date;
}

/**
 * Withdraws an attestation. Messages that were delivered stay delivered; those to the address that are not sent yet are
 * routed and decided again. Throws not_found.
 */
export async function deleteAttestation(
  tx: Queryable,
  { tenantId, id, now }: WithdrawnAttestation,
): Promise<OutboxEntry[]> {
  const { rows } = await tx.query<{ address_normal: string }>(
    'select address_normal from attested_addresses where tenant_id = $1 and id = $2',
    [tenantId, id],
  );
  const destinationsNormal = rows.map((row) => row.address_normal);
  await lockRoutes(tx, destinationsNormal.map(destinationRoute));
  const { rowCount } = await tx.query('delete from attested_addresses where tenant_id = $1 and id = $2', [
    tenantId,
    id,
  ]);
  if (rowCount === 0) throw notFound('attested address');
  return await wakeUnrouted(tx, { destinationsNormal }, now);
}
