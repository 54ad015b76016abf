import { walletUrlOf, type Settings } from '../process/settings.ts';
import { migrateAsOwner } from '../process/migrate-as-owner.ts';
import { announce } from './announce.ts';
import { startApi, startWorker, type ProcessInput } from './api-and-worker.ts';
import { ensureDemoData } from './demo-data.ts';
import { ensureDemoPartner } from './demo-partner.ts';
import { startPostgres } from './postgres.ts';
import { withProgress } from './progress.ts';
import type { StandaloneRun } from './run.ts';
import { homeSecrets } from './secrets.ts';
import { startTemporal } from './temporal.ts';

/** What is undone at the end, in this order: files, programs, and the servers that the programs use. */
export interface UndoStep {
  files: (() => void)[];
  programs: (() => Promise<void>)[];
  servers: (() => Promise<void>)[];
}

/** Starts everything, step by step. `undo` contains the started parts, also after a failure. */
export async function bringUp(settings: Settings, run: StandaloneRun, undo: UndoStep): Promise<void> {
  const { home, log, stopping } = run;
  const input = await startServers(settings, run, undo);
  // An owner of its own belongs to a database of its own.
  const owner = settings.DATABASE_URL === undefined ? undefined : settings.DATABASE_OWNER_URL;
  const urls = { DATABASE_URL: input.databaseUrl, DATABASE_OWNER_URL: owner };
  await withProgress(log, 'Migrating the database', migrateAsOwner(urls));
  const api = await withProgress(log, 'Starting the api', startApi(settings, input, run));
  undo.programs.push(api.stop);
  const worker = await withProgress(log, 'Starting the worker', startWorker(settings, input, api.url, run));
  undo.programs.push(worker.stop);
  const { operatorKey, databaseUrl, temporalAddress, temporalUiUrl } = input;
  const demoInput = { apiUrl: api.url, operatorKey, home };
  const demo = Promise.all([ensureDemoData(demoInput), ensureDemoPartner(demoInput)]);
  const [tenants, partner] = await withProgress(log, 'Creating demo data', demo);
  stopping.throwIfAborted();
  const running = {
    apiUrl: api.url,
    walletUrl: walletUrlOf({ ...settings, PUBLIC_URL: settings.PUBLIC_URL ?? api.url }),
    consoleUrl: `${api.url}/console/`,
    docsUrl: `${api.url}/docs`,
    temporalUiUrl,
    temporalAddress,
    temporalNamespace: settings.TEMPORAL_NAMESPACE,
    databaseUrl,
    operatorKey,
    tenants,
    partner,
  };
  undo.files.push(announce(home, running, log));
}

/** Starts PostgreSQL and Temporal, unless their addresses are set. */
async function startServers(settings: Settings, run: StandaloneRun, undo: UndoStep): Promise<ProcessInput> {
  const secrets = homeSecrets(run.home);
  const [databaseUrl, temporal] = await Promise.all([
    database(settings, run, undo),
    temporalServer(settings, run, undo),
  ]);
  return {
    databaseUrl,
    ...temporal,
    masterKey: settings.MASTER_KEY ?? secrets.masterKey,
    operatorKey: settings.OPERATOR_KEY ?? secrets.operatorKey,
  };
}

async function database(settings: Settings, run: StandaloneRun, undo: UndoStep): Promise<string> {
  if (settings.DATABASE_URL) return settings.DATABASE_URL;
  const postgres = await withProgress(run.log, 'Starting PostgreSQL', startPostgres(run));
  undo.servers.push(postgres.stop);
  return postgres.url;
}

async function temporalServer(
  settings: Settings,
  run: StandaloneRun,
  undo: UndoStep,
): Promise<Pick<ProcessInput, 'temporalAddress' | 'temporalUiUrl'>> {
  if (settings.TEMPORAL_ADDRESS) {
    return { temporalAddress: settings.TEMPORAL_ADDRESS, temporalUiUrl: settings.TEMPORAL_UI_URL };
  }
  const temporal = await startTemporal(run, settings.TEMPORAL_NAMESPACE);
  undo.servers.push(temporal.stop);
  const { address, uiUrl } = temporal.current();
  return { temporalAddress: address, temporalUiUrl: settings.TEMPORAL_UI_URL ?? uiUrl };
}
