import type { Queryable } from '../postgres.ts';

/** The gateway of the first partner, by name, that is one of these networks; null when none is a partner's. */
export async function findPartnerGateway(db: Queryable, networks: readonly string[]): Promise<string | null> {
  if (!networks.some((network) => network.startsWith('PARTNER:'))) return null;
  const { rows } = await db.query<{ id: string }>({
    name: 'find-partner-gateway',
    text: `select id from tenants where gateway = 'PARTNER' and name = any($1::text[]) order by name limit 1`,
    values: [networks],
  });
  return rows[0]?.id ?? null;
}
