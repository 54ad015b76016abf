import knex from 'knex';
import type { Knex } from 'knex';
import { migrations } from './migrations/index.ts';

type Listed = (typeof migrations)[number];

const migrationSource: Knex.MigrationSource<Listed> = {
  getMigrations: () => Promise.resolve(migrations),
  getMigrationName: (listed) => listed.name,
  getMigration: (listed) => Promise.resolve(listed.migration),
};

/**
 * Migrates the database to the newest schema; two calls at once wait for each other. Returns the names of the
 * migrations that ran.
 */
export async function migrate(databaseUrl: string): Promise<string[]> {
  const db = knex({ client: 'pg', connection: databaseUrl, pool: { min: 0, max: 1 } });
  try {
    // An advisory lock rather than knex's lock table: it goes away with a killed process.
    await db.raw('select pg_advisory_lock(727274)');
    // Nobody else can be migrating now, so knex's own lock row, if set, was left by a killed process.
    await db.migrate.forceFreeMigrationsLock({ migrationSource });
    const [, names] = (await db.migrate.latest({ migrationSource })) as [number, string[]];
    // After a restore into another cluster, so that the first events written at once there do not wait for each other.
    await db.raw('select take_feed_epoch()');
    return names;
  } finally {
    await db.destroy();
  }
}

/** True when the schema holds every migration of this release; newer ones do not matter (expand only). */
export async function isMigrated(
  query: (sql: string) => Promise<{ rows: { name: string }[] }>,
): Promise<boolean> {
  const { rows } = await query('select name from knex_migrations');
  const done = new Set(rows.map((row) => row.name));
  return migrations.every((listed) => done.has(listed.name));
}
