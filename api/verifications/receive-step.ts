import type pg from 'pg';
import type { Logger } from 'pino';
import { findKeptAnswer, withIdempotency, type KeptAnswer } from '../../db/idempotency/idempotency.ts';
import type { OutboxEntry } from '../../db/outbox.ts';
import { changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { countAttempt } from '../../db/verifications/count-attempt.ts';
import { getVerification } from '../../db/verifications/find-verification.ts';
import { awaitAnalysis } from '../../db/verifications/selfie-analyses.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { Actor } from '../../domain/events/actor.ts';
import { EVIDENCE_LIMITS } from '../../domain/verifications/evidence-class.ts';
import type { WalletVerification } from '../../domain/verifications/schema.ts';
import type { StepKind } from '../../domain/verifications/state.ts';
import { StepMetadata } from '../../domain/verifications/step-documents.ts';
import { requireStepOpen, stepOf, submitStep } from '../../domain/verifications/steps.ts';
import type { Deps, IdempotentCall } from '../deps.ts';
import type { ReadForm } from '../endpoint.ts';
import { parseValue } from '../middleware/parse-input.ts';
import { parseJson } from '../read-body.ts';
import type { PartRules } from '../uploads/part-rule.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';
import { receiveFiles, type ReceivedFiles } from './receive-files.ts';

/** The parts of the form for an additional step. */
export const STEP_PARTS: PartRules = {
  files: {
    kind: 'FILE',
    description:
      'SOURCE_OF_FUNDS_WEALTH: jpeg, png or pdf; SELFIE: jpeg, png or a video. At most 5 MB each, a video 50 MB.',
    maxBytes: EVIDENCE_LIMITS.fileBytes,
    maxCount: EVIDENCE_LIMITS.stepFiles,
    required: true,
  },
  metadata: {
    kind: 'TEXT',
    description: 'A JSON object about the files, such as how a selfie was taken; at most 10 kB.',
    maxBytes: EVIDENCE_LIMITS.metadataBytes,
    maxCount: 1,
    required: false,
  },
};

interface StepSubmitter {
  tenantId: string;
  id: string;
  kind: StepKind;
  actor: Actor;
  via?: 'HOSTED_PAGE';
  log: Logger;
  /** The form may be one that was answered before: it is read to its end before it is refused. */
  isRepeatable: boolean;
  readForm: (takeFile: TakeFile) => Promise<ReadForm>;
  /** Runs the effect under the key that came with the form, if one did. */
  once: (
    call: IdempotentCall | undefined,
    run: () => Promise<KeptAnswer & { replayed: boolean }>,
  ) => Promise<void>;
}

/** Takes the files of an additional step while they arrive, and makes them part of the record. */
export async function receiveStep(deps: Deps, submitter: StepSubmitter): Promise<void> {
  const { tenantId, id, kind } = submitter;
  stepOf((await getVerification(deps.db, tenantId, id)).record, kind);
  const files = stepFiles(deps, submitter);
  try {
    const { parts, idempotency } = await submitter.readForm(files.takeFile);
    const text = parts.find(({ name }) => name === 'metadata')?.text ?? null;
    await submitter.once(idempotency, async () => await store(deps, submitter, files, text, idempotency));
  } finally {
    await files.discard();
  }
}

function stepFiles(deps: Deps, { tenantId, id, kind, log, isRepeatable }: StepSubmitter): ReceivedFiles {
  return receiveFiles(deps, {
    kind,
    log,
    async admit() {
      const open = await getVerification(deps.db, tenantId, id);
      try {
        requireStepOpen(open.record, kind);
      } catch (error) {
        if (isRepeatable && error instanceof DomainError) return null;
        throw error;
      }
      await countAttempt(deps.db.pool, { tenantId, id }, new Date());
      return open;
    },
  });
}

async function store(
  { db, notifyWorkflows }: Deps,
  { tenantId, id, kind, ...deed }: StepSubmitter,
  files: ReceivedFiles,
  metadataText: string | null,
  call: IdempotentCall | undefined,
): Promise<KeptAnswer & { replayed: boolean }> {
  const kept = call && (await findKeptAnswer(db, tenantId, call));
  if (kept) return { ...kept, replayed: true };
  requireStepOpen((await getVerification(db, tenantId, id)).record, kind);
  const metadata = metadataText === null ? null : readMetadata(metadataText);
  const now = new Date();
  let outbox: OutboxEntry[] = [];
  const effect = async (tx: pg.PoolClient) => {
    await files.keep(tx);
    const changed = await changeVerificationIn(db, tx, {
      tenantId,
      id,
      now,
      decide: (record) => submitStep(record, kind, { files: files.all(), metadata }, { ...deed, now }),
    });
    const { record, key } = changed.open;
    const analysis = kind === 'SELFIE' ? await awaitAnalysis(tx, record, now) : [];
    outbox = [...changed.outbox, ...analysis];
    return { status: 200, body: showVerification(db, changed.open), sealer: { verificationId: id, key } };
  };
  const scope = { tenantId, idempotency: call ?? null, now };
  const answer = await withIdempotency<WalletVerification>(db, scope, effect);
  if (!answer.replayed) notifyWorkflows(outbox);
  return answer;
}

function readMetadata(text: string): StepMetadata {
  try {
    return parseValue(StepMetadata, parseJson(Buffer.from(text)));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidField('/metadata', 'invalid_json', 'A JSON object without empty texts is expected.');
  }
}
