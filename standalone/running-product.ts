import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../process/settings.ts';
import type { RunningProduct } from './announce.ts';
import { homeFolder } from './home.ts';

/** What `npm start` has written about itself. Throws an error for the user when it is not running. */
export function readRunning(): RunningProduct {
  const home = homeFolder(process.env['WAYBILL_HOME'] ? readSettings().WAYBILL_HOME : undefined);
  const file = join(home, 'standalone.json');
  if (!existsSync(file)) {
    throw new Error(
      `Waybill is not running: ${file} is missing. Start Waybill with "npm start", then try again.`,
    );
  }
  return JSON.parse(readFileSync(file, 'utf8')) as RunningProduct;
}
