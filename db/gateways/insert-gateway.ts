import type { Gateway } from '../../domain/gateways/gateway.ts';
import type { Queryable } from '../postgres.ts';

interface NewGateway {
  id: string;
  gateway: Gateway;
  /** As `travelRuleMessageSource` shows it: `TRP`, `EMAIL` or `PARTNER:<name>`. */
  name: string;
  now: Date;
}

/** Stores a gateway. No tenant's folded name is equal to the one that is stored here: those are in lower case. */
export async function insertGateway(tx: Queryable, { id, gateway, name, now }: NewGateway): Promise<void> {
  await tx.query(
    `insert into tenants (id, gateway, name, name_folded, created_at, updated_at)
     values ($1::uuid, $2, $3, 'GATEWAY:' || $1::text, $4, $4)`,
    [id, gateway, name, now],
  );
}
