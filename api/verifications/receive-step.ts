import type { Logger } from 'pino';
import { changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { countAttempt } from '../../db/verifications/count-attempt.ts';
import { getVerification } from '../../db/verifications/find-verification.ts';
import { awaitAnalysis } from '../../db/verifications/selfie-analyses.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { DomainError, invalidField } from '../../domain/errors.ts';
import type { Actor } from '../../domain/events/actor.ts';
import { EVIDENCE_LIMITS } from '../../domain/verifications/evidence-class.ts';
import type { StepKind } from '../../domain/verifications/state.ts';
import { StepMetadata } from '../../domain/verifications/step-documents.ts';
import { requireStepOpen, stepOf, submitStep } from '../../domain/verifications/steps.ts';
import type { Deps } from '../deps.ts';
import type { ReadForm } from '../endpoint.ts';
import type { CommitEffect } from '../idempotency.ts';
import { parseValue } from '../middleware/parse-input.ts';
import { parseJson } from '../read-body.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import type { PartRules } from '../uploads/part-rule.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';
import { receiveFiles, type ReceivedFiles } from './receive-files.ts';

/** The form parts of an additional step. */
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
    description: 'A JSON object about the files, for example how a selfie was taken; at most 10 kB.',
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
  /** True if the form may be a repeat under an Idempotency-Key: it is then read to its end before it is refused. */
  isRepeatable: boolean;
  readForm: (takeFile: TakeFile) => Promise<ReadForm>;
  commit: CommitEffect;
}

/**
 * Receives the files of an additional step while they arrive, attaches them to the verification and answers 200. Throws
 * invalid_transition, file_type_not_allowed, rate_limited.
 */
export async function receiveStep(deps: Deps, submitter: StepSubmitter): Promise<EndpointAnswer> {
  const { tenantId, id, kind } = submitter;
  stepOf((await getVerification(deps.db, tenantId, id)).record, kind);
  const files = stepFiles(deps, submitter);
  try {
    const { parts, once } = await submitter.readForm(files.takeFile);
    const text = parts.find(({ name }) => name === 'metadata')?.text ?? null;
    return await once(async () => await store(deps, submitter, files, text));
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
  { db }: Deps,
  { tenantId, id, kind, commit, ...act }: StepSubmitter,
  files: ReceivedFiles,
  metadataText: string | null,
): Promise<EndpointAnswer> {
  requireStepOpen((await getVerification(db, tenantId, id)).record, kind);
  const metadata = metadataText === null ? null : readMetadata(metadataText);
  const now = new Date();
  return await commit(async (tx) => {
    await files.keep(tx);
    const { open, outbox } = await changeVerificationIn(db, tx, {
      tenantId,
      id,
      now,
      decide: (record) => submitStep(record, kind, { files: files.all(), metadata }, { ...act, now }),
    });
    const analysis = kind === 'SELFIE' ? await awaitAnalysis(tx, open.record, now) : [];
    const sealer = { verificationId: id, key: open.key };
    return { status: 200, body: showVerification(db, open), outbox: [...outbox, ...analysis], sealer };
  });
}

function readMetadata(text: string): StepMetadata {
  try {
    return parseValue(StepMetadata, parseJson(Buffer.from(text)));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw invalidField('/metadata', 'invalid_json', 'A JSON object without empty texts is expected.');
  }
}
