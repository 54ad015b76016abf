import { missingMigrations } from '../migrate.ts';
import type { Queryable } from '../postgres.ts';

/** What the database holds of the deployment as a whole: numbers and names of migrations. */
interface DeploymentFigures {
  postgresVersion: string;
  migrations: { latest: string | null; applied: number; missing: string[] };
  tenants: number;
  suspendedTenants: number;
  partners: number;
}

interface FiguresRow {
  postgres_version: string;
  migrations: string[];
  tenants: number;
  suspended: number;
  partners: number;
}

/** Reads the figures. The test VASPs of a sandbox and the gateways of networks are no tenants. */
export async function readDeployment(db: Queryable): Promise<DeploymentFigures> {
  const { rows } = await db.query<FiguresRow>(
    `select current_setting('server_version') as postgres_version,
       array(select name from knex_migrations order by name)::text[] as migrations,
       count(*)::int as tenants, count(suspended_at)::int as suspended,
       (select count(*)::int from partners) as partners
     from tenants where test_behaviour is null and gateway is null and erased_at is null`,
  );
  const [row] = rows;
  if (!row) throw new Error('a count has no row');
  const { migrations: names } = row;
  return {
    postgresVersion: row.postgres_version,
    migrations: { latest: names.at(-1) ?? null, applied: names.length, missing: missingMigrations(names) },
    tenants: row.tenants,
    suspendedTenants: row.suspended,
    partners: row.partners,
  };
}
