import { join } from 'node:path';
import { once } from 'node:events';
import { withConfig, type Config } from '../config.ts';
import { migrate } from '../db/migrate.ts';
import { announce } from './announce.ts';
import { startApi, startWorker, type Surroundings } from './api-and-worker.ts';
import { askedToStop } from './asked-to-stop.ts';
import { claimHome, OWN_RECORDS, type Claim } from './claim-home.ts';
import { ensureDemoData } from './demo-data.ts';
import { homeFolder, openHome } from './home.ts';
import { startPostgres } from './postgres.ts';
import { endLeftovers, killRecorded } from './processes.ts';
import { withProgress, type Log } from './progress.ts';
import { homeSecrets } from './secrets.ts';
import { startTemporal } from './temporal.ts';

const STOP_LIMIT_MS = 9500;

const log: Log = (line) => console.log(line);

/** What has to be undone at the end: programs first, then the servers that they use. */
interface Undo {
  programs: (() => Promise<void>)[];
  servers: (() => Promise<void>)[];
  files: (() => void)[];
}

/** `npm start`: brings everything up on this machine, and takes everything down again. */
async function standalone(config: Config): Promise<void> {
  const home = homeFolder(process.env['WAYBILL_HOME'] ? config.WAYBILL_HOME : undefined);
  const undo: Undo = { programs: [], servers: [], files: [] };
  let claim: Claim | undefined;
  let code = 0;
  const force = (): void => {
    // Without a claim, what is recorded belongs to another start.
    if (claim) killRecorded(join(home, 'run'), OWN_RECORDS);
    undo.files.forEach((remove) => remove());
    claim?.giveBack();
    process.exit(1);
  };
  const asked = askedToStop(force);
  const crashed = new Promise<never>((_, reject) => {
    process.on('uncaughtException', reject);
  });
  try {
    openHome(home);
    // Temporal's file, the logs and whatever else is made from here on: for this user's eyes only.
    process.umask(0o077);
    claim = await claimHome(home, log);
    const stop = once(asked, 'abort');
    await Promise.race([start(config, home, asked, undo).then(() => stop), stop, crashed]);
    log('Stopping ...');
  } catch (error) {
    if (!asked.aborted) {
      code = 1;
      console.error(error instanceof Error ? error.message : 'Waybill could not be started');
    }
  }
  setTimeout(force, STOP_LIMIT_MS).unref();
  claim?.markStopping();
  await stopAll(undo);
  // A stop in the middle of the start: what was coming up meanwhile is known by its PID file.
  if (claim) await endLeftovers(join(home, 'run'), () => undefined, OWN_RECORDS);
  claim?.giveBack();
  process.exit(code);
}

async function start(config: Config, home: string, asked: AbortSignal, undo: Undo): Promise<void> {
  const around = await startServers(config, home, undo);
  asked.throwIfAborted();
  await withProgress(log, 'Migrating the database', migrate(around.databaseUrl));
  asked.throwIfAborted();
  const api = await withProgress(log, 'Starting the api', startApi(config, around, log));
  undo.programs.push(api.stop);
  const worker = await withProgress(log, 'Starting the worker', startWorker(config, around, api.url, log));
  undo.programs.push(worker.stop);
  asked.throwIfAborted();
  const { operatorKey, databaseUrl, temporalAddress, temporalUiUrl } = around;
  const demo = ensureDemoData({ apiUrl: api.url, operatorKey, home });
  const tenants = await withProgress(log, 'Making demo data', demo);
  asked.throwIfAborted();
  const running = {
    apiUrl: api.url,
    docsUrl: `${api.url}/docs`,
    temporalUiUrl,
    temporalAddress,
    databaseUrl,
    operatorKey,
    tenants,
  };
  undo.files.push(announce(home, running, log));
}

/** PostgreSQL and Temporal, unless their addresses are given. */
async function startServers(config: Config, home: string, undo: Undo): Promise<Surroundings> {
  const secrets = homeSecrets(home);
  const [databaseUrl, temporal] = await Promise.all([
    database(config, home, undo),
    temporalServer(config, home, undo),
  ]);
  return {
    home,
    databaseUrl,
    ...temporal,
    masterKey: config.MASTER_KEY ?? secrets.masterKey,
    operatorKey: config.OPERATOR_KEY ?? secrets.operatorKey,
  };
}

async function database(config: Config, home: string, undo: Undo): Promise<string> {
  if (config.DATABASE_URL) return config.DATABASE_URL;
  const postgres = await withProgress(log, 'Starting PostgreSQL', startPostgres({ home, log }));
  undo.servers.push(postgres.stop);
  return postgres.url;
}

async function temporalServer(
  config: Config,
  home: string,
  undo: Undo,
): Promise<Pick<Surroundings, 'temporalAddress' | 'temporalUiUrl'>> {
  if (config.TEMPORAL_ADDRESS) {
    return { temporalAddress: config.TEMPORAL_ADDRESS, temporalUiUrl: config.TEMPORAL_UI_URL };
  }
  const temporal = await startTemporal({ home, namespace: config.TEMPORAL_NAMESPACE, log });
  undo.servers.push(temporal.stop);
  const { address, uiUrl } = temporal.current();
  return { temporalAddress: address, temporalUiUrl: config.TEMPORAL_UI_URL ?? uiUrl };
}

async function stopAll(undo: Undo): Promise<void> {
  undo.files.forEach((remove) => remove());
  await Promise.all(undo.programs.map((stop) => stop()));
  await Promise.all(undo.servers.map((stop) => stop()));
}

await withConfig((config) => {
  if (config.ENVIRONMENT === 'production') {
    console.error(
      'npm start is for one machine and trials. In production run the api and the worker by themselves: see the README.',
    );
    process.exit(1);
  }
  return standalone(config);
});
