import pg from 'pg';

/** Rows that the programs only add: neither they nor who has their password can change what was logged. */
export const ADDED_ONLY = ['events', 'event_seals', 'payload_versions', 'audit_entries', 'audit_batches'];
/** Tables that the programs only read. */
const READ_ONLY = ['knex_migrations', 'knex_migrations_lock'];
/** Functions that the programs or the columns of their tables call: an owner may have taken the right to execute any from PUBLIC. */
const CALLED = [
  'attempt_partitions()',
  'drop_past_attempts()',
  'first_id_of(timestamp)',
  'flush_pending_search()',
  'make_attempt_partitions()',
  'present_feed_epoch()',
  'take_feed_epoch()',
];
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
    const role = pg.escapeIdentifier(service);
    const own = await ownRelations(client);
    await client.query(rightsOf(role, pg.escapeIdentifier(at.database), { version: at.version, own }));
    return true;
  } finally {
    await client.end();
  }
}

/** The names of what the role owns in the schema of the tables, by kind. */
interface OwnRelations {
  tables: string[];
  views: string[];
  sequences: string[];
}

/** An extension has tables and views there of which the owner of all others may have no right at all. */
async function ownRelations(client: pg.Client): Promise<OwnRelations> {
  const { rows } = await client.query<{ name: string; kind: string }>(
    `select oid::regclass::text as name, relkind as kind from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'S') and pg_has_role(relowner, 'USAGE')`,
  );
  const namesOf = (kinds: string) => rows.flatMap(({ name, kind }) => (kinds.includes(kind) ? [name] : []));
  return { tables: namesOf('rp'), views: namesOf('v'), sequences: namesOf('S') };
}

/**
 * All in one message, so that nobody meets half of it. No program has any view: what is written to one is written with the rights of
 * its owner. What `grant all` gave beside the rows is taken: triggers and foreign keys are ways past the guards.
 */
function rightsOf(
  role: string,
  database: string,
  { version, own: { tables, views, sequences } }: { version: number; own: OwnRelations },
): string {
  return `
    grant connect, temporary on database ${database} to ${role};
    grant usage on schema public to ${role};
    grant select, insert, update, delete${version >= HAS_MAINTAIN ? ', maintain' : ''} on ${tables.join(', ')} to ${role};
    revoke references, trigger, truncate on ${tables.join(', ')} from ${role} cascade;
    revoke update, delete on ${ADDED_ONLY.join(', ')} from ${role};
    revoke insert, update, delete on ${READ_ONLY.join(', ')} from ${role};
    ${views.length > 0 ? `revoke insert, update, delete on ${views.join(', ')} from ${role};` : ''}
    grant usage, select on ${sequences.join(', ')} to ${role};
    grant execute on function ${CALLED.join(', ')} to ${role};`;
}
