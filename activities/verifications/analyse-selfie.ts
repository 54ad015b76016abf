import { type Database } from '../../db/database.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { openStream } from '../../db/vault/sealed-stream.ts';
import { changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { findVerification } from '../../db/verifications/find-verification.ts';
import type { OpenVerification } from '../../db/verifications/row.ts';
import { beginAnalysis, endAnalysis } from '../../db/verifications/selfie-analyses.ts';
import { findFileRef } from '../../db/verifications/stored-files.ts';
import { extensionOf } from '../../domain/verifications/evidence-class.ts';
import type { VerificationStep } from '../../domain/verifications/record.ts';
import { stepDocumentsOf, recordAnalysis } from '../../domain/verifications/steps.ts';
import type { Storage } from '../../storage/storage.ts';
import { sealingContext } from '../../db/vault/contexts.ts';
import { whileHeartbeating } from '../heartbeat.ts';
import type { LivenessFinding, Liveness, SelfieFile } from '../liveness/liveness.ts';
import { inTransaction } from '../../db/postgres.ts';

export interface SelfieDeps {
  db: Database;
  storage: Storage;
  liveness: Liveness;
  /** Notifies the workflows of changed rows; the relay delivers what fails here. */
  notifyWorkflows: (outbox: readonly OutboxEntry[]) => void;
  now: () => Date;
}

const HEARTBEAT_MS = 5_000;

/** The activity of `selfieAnalysis`. */
export function selfieActivities(deps: SelfieDeps) {
  return {
    /** Has the selfie of a verification analysed, if it is waiting. A repeat changes nothing. */
    async analyseSelfie({ id }: { id: string }): Promise<{ outcome: 'DONE' | 'MANUAL' | 'NOTHING_WAITS' }> {
      const tenantId = await beginAnalysis(deps.db.pool, id);
      if (tenantId === undefined) return { outcome: 'NOTHING_WAITS' };
      const open = await findVerification(deps.db, tenantId, id);
      const step = open?.record.steps.find(({ kind }) => kind === 'SELFIE');
      if (!open || step?.status !== 'ACTION_REQUIRED') {
        await endAnalysis(deps.db.pool, id);
        return { outcome: 'NOTHING_WAITS' };
      }
      const finding = await whileHeartbeating(
        HEARTBEAT_MS,
        async (signal) => await analyse(deps, open, signal),
      );
      if (finding) await record(deps, open, step, finding);
      else await endAnalysis(deps.db.pool, id);
      return { outcome: finding ? 'DONE' : 'MANUAL' };
    },
  };
}

async function analyse(
  { db, storage, liveness }: SelfieDeps,
  open: OpenVerification,
  signal: AbortSignal,
): Promise<LivenessFinding | null> {
  const { documents, metadata } = stepDocumentsOf(open.record, 'SELFIE');
  const files = documents.map(({ id, type }): SelfieFile => ({
    name: `${id}.${extensionOf(type)}`,
    type,
    async *content() {
      const file = await findFileRef(db.pool, id);
      yield* openStream(
        open.key,
        sealingContext.verificationFile.content(file),
        await storage.get(file.objectKey),
      );
    },
  }));
  return await liveness.analyse({ files, metadata }, signal);
}

async function record(
  { db, notifyWorkflows, now }: SelfieDeps,
  { record: { id, tenantId } }: OpenVerification,
  { submittedAt }: VerificationStep,
  finding: LivenessFinding,
): Promise<void> {
  const at = now();
  const analysis = { ...finding, analysedAt: at.toISOString() };
  const outbox = await inTransaction(db.pool, async (tx) => {
    const changed = await changeVerificationIn(db, tx, {
      tenantId,
      id,
      now: at,
      decide: (own) => recordAnalysis(own, analysis, { submittedAt, now: at }),
    });
    const step = changed.open.record.steps.find(({ kind }) => kind === 'SELFIE');
    // Files that were submitted meanwhile get an analysis of their own.
    if (step?.submittedAt === submittedAt) await endAnalysis(tx, id);
    return changed.outbox;
  });
  notifyWorkflows(outbox);
}
