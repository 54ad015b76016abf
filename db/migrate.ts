import { setTimeout as delay } from 'node:timers/promises';
import knex from 'knex';
import type { Knex } from 'knex';
import { migrations } from './migrations/index.ts';
import { buildOnline } from './online-indexes.ts';

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
    await waitForTurn(db);
    // Nobody else can be migrating now, so knex's own lock row, if set, was left by a killed process.
    await db.migrate.forceFreeMigrationsLock({ migrationSource });
    await prepare(db);
    const [, names] = (await db.migrate.latest({ migrationSource })) as [number, string[]];
    // After a restore into another cluster, so that the first events written at once there do not wait for each other.
    await db.raw('select take_feed_epoch()');
    return names;
  } finally {
    await db.destroy();
  }
}

const TURN_POLL_MS = 100;

/**
 * Waits until no other process migrates. An advisory lock rather than knex's lock table: it goes away with a killed
 * process. It is asked for again and again, since a statement that waits for it would keep the other process from
 * building an index online.
 */
async function waitForTurn(db: Knex): Promise<void> {
  for (;;) {
    const { rows } = await db.raw<{ rows: { is_mine: boolean }[] }>(
      'select pg_try_advisory_lock(727274) as is_mine',
    );
    if (rows[0]?.is_mine) return;
    await delay(TURN_POLL_MS);
  }
}

/** What is done before the pending migrations, outside of their transaction, since api and worker go on meanwhile. */
async function prepare(db: Knex): Promise<void> {
  const [, pending] = (await db.migrate.list({ migrationSource })) as [unknown, Listed[]];
  await buildOnline(
    db,
    pending.flatMap(({ migration }) => migration.online ?? []),
  );
  for (const { migration } of pending) await migration.prepare?.(db);
}

/** True when the schema holds every migration of this release; newer ones do not matter (expand only). */
export async function isMigrated(
  query: (sql: string) => Promise<{ rows: { name: string }[] }>,
): Promise<boolean> {
  const { rows } = await query('select name from knex_migrations');
  return missingMigrations(rows.map(({ name }) => name)).length === 0;
}

/** The migrations of this release that are not among those that have run. */
export function missingMigrations(applied: readonly string[]): string[] {
  const done = new Set(applied);
  return migrations.map(({ name }) => name).filter((name) => !done.has(name));
}
