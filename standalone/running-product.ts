import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readSettings } from '../process/settings.ts';
import type { DemoTenant } from './demo-data.ts';
import type { DemoPartner } from './demo-partner.ts';
import { homeFolder } from './home.ts';

/** Contents of standalone.json, for programs that use a running system. */
export interface RunningProduct {
  apiUrl: string;
  walletUrl: string;
  consoleUrl: string;
  docsUrl: string;
  /** Absent when standalone did not start the Temporal server and TEMPORAL_UI_URL is not set. */
  temporalUiUrl: string | undefined;
  temporalAddress: string;
  temporalNamespace: string;
  databaseUrl: string;
  operatorKey: string;
  tenants: DemoTenant[];
  partner: DemoPartner;
}

/** Returns what `npm start` has written about itself. Throws an error for the user when it is not running. */
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
