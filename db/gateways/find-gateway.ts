import type { Gateway } from '../../domain/gateways/gateway.ts';
import type { Queryable } from '../postgres.ts';

/** The gateway of TRP or e-mail: the tenant whose records are the other side's. */
export async function findGateway(db: Queryable, gateway: Exclude<Gateway, 'PARTNER'>): Promise<string> {
  const { rows } = await db.query<{ id: string }>({
    name: 'find-gateway',
    text: 'select id from tenants where gateway = $1',
    values: [gateway],
  });
  if (!rows[0]) throw new Error(`the gateway ${gateway} is missing: ensureGateways makes it at the start`);
  return rows[0].id;
}
