import pg from 'pg';
import type { Queryable } from '../db/postgres.ts';
import { findTableOwner } from '../db/table-owner.ts';
import type { Settings } from './settings.ts';

/** In production the role of DATABASE_URL may own neither the tables nor what guards them; the message says so in one line. */
export class OwnsTables extends Error {
  override name = 'OwnsTables';
}

/**
 * Throws OwnsTables when a program of production could remove the guards of its own tables, such as those of the event log.
 * In a sandbox nothing is evidence.
 */
export async function checkOwnership(
  { ENVIRONMENT }: Pick<Settings, 'ENVIRONMENT'>,
  db: Queryable,
): Promise<void> {
  if (ENVIRONMENT !== 'production') return;
  const role = await findTableOwner(db);
  if (role !== null) throw new OwnsTables(refusalOf(role));
}

function refusalOf(role: string): string {
  const statement = `create role ${pg.escapeIdentifier(`${role}_service`)} login password '<new password>'`;
  return (
    `DATABASE_URL: in production its role must not own the tables, their schema or the functions of their guards, nor act ` +
    `as the owner, and "${role}" does: whoever gets hold of it can rewrite the event log. Run: ${statement}; then set ` +
    'DATABASE_OWNER_URL of the migrations to the role that owns the tables, such as the present DATABASE_URL, name the new ' +
    'role in DATABASE_URL, and run the migrations, which give it its rights.'
  );
}
