import { grantRights } from '../db/grant-rights.ts';
import { migrate } from '../db/migrate.ts';

interface DatabaseUrls {
  /** The role of api and worker. */
  DATABASE_URL: string;
  /** The role that owns the tables, where that is another one. */
  DATABASE_OWNER_URL?: string | undefined;
}

/**
 * Migrates the database as the owner of its tables and gives the role of api and worker its rights, new tables included.
 * Returns the names of the migrations that ran.
 */
export async function migrateAsOwner({ DATABASE_URL, DATABASE_OWNER_URL }: DatabaseUrls): Promise<string[]> {
  if (DATABASE_OWNER_URL === undefined) return await migrate(DATABASE_URL);
  const names = await migrate(DATABASE_OWNER_URL);
  await grantRights(DATABASE_OWNER_URL, DATABASE_URL);
  return names;
}
