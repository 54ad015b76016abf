import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findTemporal } from '../standalone/temporal-binary.ts';
import { startTemporalServer, type TemporalServer } from '../standalone/temporal-server.ts';
import { lastingPort } from './lasting-port.ts';

/**
 * How long tests wait for one answer of Temporal. The product waits two seconds and tries again later; a machine that has other
 * work takes longer now and then, and a test that acts once would fail.
 */
export const TEMPORAL_MS = 30_000;

/** A Temporal server of a test's own, which can be stopped, started again, and lose everything. */
export interface OwnTemporal {
  address: string;
  start: () => Promise<void>;
  stop: () => Promise<void>;
  /** Deletes its whole database; to be called while it is stopped. */
  forgetEverything: () => void;
  remove: () => Promise<void>;
}

export async function ownTemporal(): Promise<OwnTemporal> {
  const folder = mkdtempSync(join(tmpdir(), 'waybill-own-temporal-'));
  const binary = await findTemporal(() => undefined);
  const port = await lastingPort();
  const file = join(folder, 'temporal.db');
  let server: TemporalServer | undefined;
  const stop = async () => {
    await server?.stop();
    server = undefined;
  };
  return {
    address: `127.0.0.1:${port}`,
    start: async () => {
      const options = { binary, port, file, uiPort: undefined, namespace: 'waybill', home: folder };
      server = await startTemporalServer({ ...options, logFile: join(folder, 'temporal.log') });
    },
    stop,
    forgetEverything: () => ['', '-wal', '-shm'].forEach((end) => rmSync(file + end, { force: true })),
    remove: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
