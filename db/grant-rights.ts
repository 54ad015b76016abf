import pg from 'pg';

/** Rows that the programs only add: neither they nor who has their password can change what was logged. */
export const ADDED_ONLY = ['events', 'event_seals', 'payload_versions', 'audit_entries', 'audit_batches'];
/** Tables that the programs only read. */
const READ_ONLY = ['knex_migrations', 'knex_migrations_lock'];
/** Since PostgreSQL 17 ANALYZE is a right that a role can have on the tables of another. */
const HAS_MAINTAIN = 170_000;

/**
 * Gives the role of `serviceUrl` the rights that api and worker need in the database of `ownerUrl`, whose role owns the
 * tables. Nothing happens when both are one role. Returns whether rights were given.
 */
export async function grantRights(ownerUrl: string, serviceUrl: string): Promise<boolean> {
  const service = decodeURIComponent(new URL(serviceUrl).username);
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ owner: string; database: string; version: number }>(
      `select current_user as owner, current_database() as database,
         current_setting('server_version_num')::int as version`,
    );
    const [at] = rows;
    if (!at || service === '' || at.owner === service) return false;
    const views = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'`,
    );
    const names = views.rows.map(({ name }) => name);
    const role = pg.escapeIdentifier(service);
    await client.query(
      rightsOf(role, pg.escapeIdentifier(at.database), at.version) + takenFromViews(role, names),
    );
    return true;
  } finally {
    await client.end();
  }
}

/** All tables are also all views. No program has any: what is written to one is written with the rights of its owner. */
function takenFromViews(role: string, views: readonly string[]): string {
  return views.length === 0 ? '' : `revoke insert, update, delete on ${views.join(', ')} from ${role};`;
}

/** All in one message, so that nobody meets half of it. */
function rightsOf(role: string, database: string, version: number): string {
  return `
    grant connect, temporary on database ${database} to ${role};
    grant usage on schema public to ${role};
    grant select, insert, update, delete${version >= HAS_MAINTAIN ? ', maintain' : ''}
      on all tables in schema public to ${role};
    revoke update, delete on ${ADDED_ONLY.join(', ')} from ${role};
    revoke insert, update, delete on ${READ_ONLY.join(', ')} from ${role};
    grant usage, select on all sequences in schema public to ${role};`;
}
