import { migrateAsOwner } from '../process/migrate-as-owner.ts';
import { requireSettings, withSettings } from '../process/settings.ts';

/**
 * `npm run migrate`: migrates the database to the newest schema, as the role of DATABASE_OWNER_URL if it is set, and
 * prints the migrations that ran.
 */
await withSettings(async (settings) => {
  const names = await migrateAsOwner(requireSettings(settings, ['DATABASE_URL']));
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`);
});
