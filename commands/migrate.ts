import { migrate } from '../db/migrate.ts';
import { requireSettings, withConfig } from '../process/settings.ts';

/** `npm run migrate`: migrates the database to the newest schema and prints the migrations that ran. */
await withConfig(async (config) => {
  const { DATABASE_URL } = requireSettings(config, ['DATABASE_URL']);
  const names = await migrate(DATABASE_URL);
  console.log(names.length === 0 ? 'The database is up to date.' : `Migrated: ${names.join(', ')}`);
});
