import pg from 'pg';
import type { Logger } from 'pino';
import type { Queryable } from '../db/postgres.ts';
import { findTableOwner } from '../db/table-owner.ts';
import type { Settings } from './settings.ts';

/** Warns when a program of production could remove the guards of its own tables, and says what mends it. */
export async function warnOfOwnership(
  { ENVIRONMENT }: Pick<Settings, 'ENVIRONMENT'>,
  db: Queryable,
  log: Pick<Logger, 'warn'>,
): Promise<void> {
  if (ENVIRONMENT !== 'production') return;
  const role = await findTableOwner(db);
  if (role === null) return;
  log.warn(
    {
      role,
      statement: `create role ${pg.escapeIdentifier(`${role}_service`)} login password '<new password>'`,
    },
    `the role "${role}" of DATABASE_URL owns the tables, so whoever gets hold of it can rewrite the event log: run the ` +
      'statement, set DATABASE_OWNER_URL to the present DATABASE_URL, name the new role in DATABASE_URL, and run the ' +
      'migrations, which give it its rights',
  );
}
