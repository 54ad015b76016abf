import pg from 'pg';
import type { Queryable } from '../db/postgres.ts';
import { findWayPastGuards, type WayPastGuards } from '../db/table-owner.ts';
import type { Settings } from './settings.ts';

/** In production the role of DATABASE_URL can neither own the tables and what guards them nor get there; the message says so in one line. */
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
  const found = await findWayPastGuards(db);
  if (found !== null) throw new OwnsTables(refusalOf(found));
}

function refusalOf({ role, way, through, statement }: WayPastGuards): string {
  if (way === 'OWNS') return ownerRefusal(role);
  return refusal(role, rightOf(way, through), statement ?? '');
}

function rightOf(way: Exclude<WayPastGuards['way'], 'OWNS'>, through: string | null): string {
  switch (way) {
    case 'CREATES_ROLES':
      return 'may create roles, and so grants itself the owner of the tables';
    case 'USES_SERVER':
      return `has the rights of ${through}, and so those of the server`;
    case 'SKIPS_TRIGGERS':
      return 'may run with another session_replication_role than origin, which switches the guards off';
    case 'CREATES_TRIGGERS':
      return 'may put triggers on them, which run with the rights of whoever writes';
    case 'REFERS_TO_TABLES':
      return 'may refer to them from tables of its own, and what a foreign key calls runs as the owner';
    case 'BORROWS_TRIGGERS':
      return `may put the trigger function ${through} on tables of its own, and it runs as the owner`;
    case 'CREATES_OBJECTS':
      return `may create in ${through}, and so make functions that the owner calls in the place of PostgreSQL's`;
    case 'CHANGES_LOGS':
      return `may change what is only added to, by its rights of ${through}`;
  }
}

/** One right more than the role of a service needs. */
function refusal(role: string, right: string, statement: string): string {
  return (
    `DATABASE_URL: in production its role must not be able to remove the guards of its tables, and "${role}" ${right}: ` +
    `whoever gets hold of it can rewrite the event log. Run: ${statement}`
  );
}

function ownerRefusal(role: string): string {
  const statement = `create role ${pg.escapeIdentifier(`${role}_service`)} login password '<new password>'`;
  return (
    `DATABASE_URL: in production its role must not own the tables, their schema or the functions of their guards, nor act ` +
    `as the owner, and "${role}" does: whoever gets hold of it can rewrite the event log. Run: ${statement}; then set ` +
    'DATABASE_OWNER_URL of the migrations to the role that owns the tables, such as the present DATABASE_URL, name the new ' +
    'role in DATABASE_URL, and run the migrations, which give it its rights.'
  );
}
