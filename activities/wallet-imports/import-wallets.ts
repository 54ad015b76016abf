import type { Database } from '../../db/database.ts';
import { fairTurns } from '../../db/fair-turns.ts';
import {
  announceWallets,
  findUnannounced,
  type WrittenWallet,
} from '../../db/wallet-imports/announce-wallets.ts';
import { findRunningImport, type RunningImport } from '../../db/wallet-imports/begin-import.ts';
import { readChunks, UploadLost } from '../../db/wallet-imports/chunks.ts';
import { finishDone, finishFailed, finishInvalid } from '../../db/wallet-imports/finish-import.ts';
import { writeWallets } from '../../db/wallet-imports/write-wallets.ts';
import { queueRelease, RELEASED_AT_ONCE } from '../../db/wallets/release-transactions.ts';
import { immediateReleaser, type ReleaseAtOnce } from '../../transaction-screening/release-at-once.ts';
import type { ReleaseDeps } from '../../transaction-screening/release-records.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import { readWalletFile } from '../../readers/wallets/read-wallet-file.ts';

/** A file is up to 15 MB and its rows some 60 MB in memory; one is checked while another is written. */
const AT_ONCE = 2;
const HEARTBEAT_MS = 1_000;

interface ImportSubject {
  tenantId: string;
  /** SHA-256 of the file, in hex. */
  sha256: string;
}

interface WalletImportDeps extends ReleaseDeps {
  /** How long the release of what waits for a wallet is waited for; the usual time unless given. */
  releaseLimitMs?: number;
}

/** The steps of `walletCsvImport`. Done twice, or by two workers at once, a file is imported once. */
export function walletImportActivities(deps: WalletImportDeps) {
  const { db } = deps;
  const inTurn = fairTurns({ atOnce: AT_ONCE });
  const announcing: AnnouncingDeps = { ...deps, releaseAtOnce: immediateReleaser(deps, deps.releaseLimitMs) };
  const find = async ({ tenantId, sha256 }: ImportSubject) =>
    await findRunningImport(db.pool, tenantId, Buffer.from(sha256, 'hex'));
  return {
    /**
     * Checks the file, registers all its wallets or none, and announces them; nothing when there is no import to be done.
     * A repeat continues after the last of these steps that was stored.
     */
    async importWallets(subject: ImportSubject): Promise<void> {
      await whileHeartbeating(HEARTBEAT_MS, async () => {
        await inTurn(subject.tenantId, async () => {
          const running = await find(subject);
          if (!running) return;
          const written = running.isWritten ? null : await writeFile(db, running, deps.now());
          await announceAndFinish(announcing, running, written ?? (await findUnannounced(db.pool, running)));
        });
      });
    },
    /** Gives up: the sender is told to send the file again. An import that has written its wallets is finished instead. */
    async giveImportUp(subject: ImportSubject): Promise<void> {
      const running = await find(subject);
      if (!running) return;
      await finishFailed(db, running);
      await announceAndFinish(announcing, running, await findUnannounced(db.pool, running));
    },
  };
}

/** Registers the wallets of the file; null when it has faults or is lost, or another worker has done it. */
async function writeFile(db: Database, running: RunningImport, now: Date): Promise<WrittenWallet[] | null> {
  const file = await readWalletFile(readChunks(db, running, running.chunks)).catch((error: unknown) => {
    if (error instanceof UploadLost) return undefined;
    throw error;
  });
  if (file && !file.faults) return await writeWallets(db, running, file, now);
  if (file?.faults) await finishInvalid(db, running, file.faults);
  else await finishFailed(db, running);
  return null;
}

interface AnnouncingDeps extends ReleaseDeps {
  releaseAtOnce: ReleaseAtOnce;
}

/** Announces wallets that are written, releases the messages that wait for them where these are few, and ends the import. */
async function announceAndFinish(
  deps: AnnouncingDeps,
  running: RunningImport,
  wallets: readonly WrittenWallet[],
): Promise<void> {
  const { db, notifyWorkflows } = deps;
  let left = RELEASED_AT_ONCE;
  const { tenantId } = running;
  for await (const { release, outbox } of announceWallets(db, { tenantId, wallets }, deps.now())) {
    notifyWorkflows(outbox);
    if (release === null) continue;
    if (release.total <= left) await deps.releaseAtOnce(release);
    else notifyWorkflows(await queueRelease(db.pool, release, deps.now()));
    left -= release.total;
  }
  await finishDone(db.pool, running);
}
