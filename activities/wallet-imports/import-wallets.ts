import type { Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { findRunningImport, type RunningImport } from '../../db/wallet-imports/begin-import.ts';
import { readChunks, UploadLost } from '../../db/wallet-imports/chunks.ts';
import { finishFailed, finishInvalid } from '../../db/wallet-imports/finish-import.ts';
import { writeWallets } from '../../db/wallet-imports/write-wallets.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { readWalletFile } from '../../readers/wallets/read-wallet-file.ts';
import { createTurns } from './take-turns.ts';

interface ImportDeps {
  db: Database;
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

/** A file is up to 15 MB and its rows some 60 MB in memory; one is checked while another is written. */
const AT_ONCE = 2;
const HEARTBEAT_MS = 1_000;

interface ImportSubject {
  tenantId: string;
  /** Of the file, in hex. */
  sha256: string;
}

/** The steps of `walletCsvImport`. Done twice, or by two workers at once, a file is imported once. */
export function walletImportActivities({ db, notifyWorkflows, now }: ImportDeps) {
  const inTurn = createTurns(AT_ONCE);
  const find = async ({ tenantId, sha256 }: ImportSubject) =>
    await findRunningImport(db.pool, tenantId, Buffer.from(sha256, 'hex'));
  return {
    /** Checks the file and registers all its wallets or none; nothing when there is no import to be done. */
    async importWallets(subject: ImportSubject): Promise<void> {
      await whileHeartbeating(HEARTBEAT_MS, async () => {
        await inTurn(async () => {
          const running = await find(subject);
          if (running) notifyWorkflows(await importFile(db, running, now()));
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

async function importFile(db: Database, running: RunningImport, now: Date): Promise<OutboxEntry[]> {
  const file = await readWalletFile(readChunks(db, running, running.chunks)).catch((error: unknown) => {
    if (error instanceof UploadLost) return undefined;
    throw error;
  });
  if (file && !file.faults) return await writeWallets(db, running, file, now);
  if (file?.faults) await finishInvalid(db, running, file.faults);
  else await finishFailed(db, running);
  return [];
}
