// Before `npm run api`, `worker` and `migrate`: what Node says of a missing file does not say what to do.
import { existsSync } from 'node:fs';
import process from 'node:process';

// Written last by the build, so that a build that was broken off counts as none.
if (!existsSync(new URL('../dist/.built', import.meta.url))) {
  console.error('Waybill is not built in this folder: run npm ci and npm run build first.');
  process.exit(1);
}
