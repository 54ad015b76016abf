import type { Logger } from 'pino';
import { requirePublicUrl, requireSettings, withSettings, type Settings } from './settings.ts';
import { DeploymentMismatch } from '../db/vault/master-key.ts';
import { OwnsTables } from './check-ownership.ts';
import { registerBlockchains } from '../domain/blockchains.ts';
import { createLog } from './log.ts';

const NEEDED = ['DATABASE_URL', 'TEMPORAL_ADDRESS', 'MASTER_KEY'] as const;

export type ProcessSettings = Settings & { [name in (typeof NEEDED)[number]]: string };

/**
 * Runs a process of its own. What an operator can mend (a setting, the wrong master key, a role
 * that owns the tables) is one clear line and exit 1;
 * anything else is logged without values, exit 1 as well: whatever started the process starts it again.
 */
export async function runProcess(
  name: string,
  main: (settings: ProcessSettings, log: Logger) => Promise<void>,
): Promise<void> {
  await withSettings(async (read) => {
    const settings = requireSettings(read, NEEDED);
    requirePublicUrl(settings);
    registerBlockchains(settings.chains, settings.ENVIRONMENT === 'production' ? 'MAIN' : 'ALL');
    const log = createLog(name, settings.LOG_LEVEL);
    try {
      await main(settings, log);
    } catch (error) {
      if (error instanceof DeploymentMismatch || error instanceof OwnsTables) console.error(error.message);
      else log.fatal({ error }, `the ${name} could not be started`);
      process.exit(1);
    }
  });
}
