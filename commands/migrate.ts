import { migrate } from '../db/migrate.ts';
import { requireSettings, withSettings } from '../process/settings.ts';

/** `npm run migrate`: migrates the database to the newest schema and prints the migrations that ran. */
await withSettings(async (settings) => {
  const { DATABASE_URL } = requireSettings(settings, ['DATABASE_URL']);
  const names = await migrate(DATABASE_URL);
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`);
});
