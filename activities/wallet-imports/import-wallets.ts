import type { Database } from '../../db/database.ts';
import { findRunningImport, type RunningImport } from '../../db/wallet-imports/begin-import.ts';
import { readChunks, UploadLost } from '../../db/wallet-imports/chunks.ts';
import { finishFailed, finishInvalid } from '../../db/wallet-imports/finish-import.ts';
import { writeWallets } from '../../db/wallet-imports/write-wallets.ts';
import type { BegunRelease } from '../../db/wallets/release-transactions.ts';
import { immediateReleaser } from '../../transaction-screening/release-at-once.ts';
import type { ReleaseDeps } from '../../transaction-screening/release-records.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { readWalletFile } from '../../readers/wallets/read-wallet-file.ts';
import { createTurns } from './take-turns.ts';

/** A file is up to 15 MB and its rows some 60 MB in memory; one is checked while another is written. */
const AT_ONCE = 2;
const HEARTBEAT_MS = 1_000;

interface ImportSubject {
  tenantId: string;
  /** Of the file, in hex. */
  sha256: string;
}

/** The steps of `walletCsvImport`. Done twice, or by two workers at once, a file is imported once. */
export function walletImportActivities(deps: ReleaseDeps) {
  const { db } = deps;
  const inTurn = createTurns(AT_ONCE);
  const releaseAtOnce = immediateReleaser(deps);
  const find = async ({ tenantId, sha256 }: ImportSubject) =>
    await findRunningImport(db.pool, tenantId, Buffer.from(sha256, 'hex'));
  return {
    /** Checks the file and registers all its wallets or none; nothing when there is no import to be done. */
    async importWallets(subject: ImportSubject): Promise<void> {
      await whileHeartbeating(HEARTBEAT_MS, async () => {
        await inTurn(async () => {
          const running = await find(subject);
          if (!running) return;
          const { release, outbox } = await importFile(db, running, deps.now());
          deps.notifyWorkflows(outbox);
          await releaseAtOnce(release);
        });
      });
    },
    /** Gives up: the sender is told to send the file again. */
    async giveImportUp(subject: ImportSubject): Promise<void> {
      const running = await find(subject);
      if (running) await finishFailed(db, running);
    },
  };
}

async function importFile(db: Database, running: RunningImport, now: Date): Promise<BegunRelease> {
  const file = await readWalletFile(readChunks(db, running, running.chunks)).catch((error: unknown) => {
    if (error instanceof UploadLost) return undefined;
    throw error;
  });
  if (file && !file.faults) return await writeWallets(db, running, file, now);
  if (file?.faults) await finishInvalid(db, running, file.faults);
  else await finishFailed(db, running);
  return { release: null, outbox: [] };
}
