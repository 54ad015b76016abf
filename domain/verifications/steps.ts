import { z } from 'zod';
import { DomainError, notFound } from '../errors.ts';
import { SYSTEM, type Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { FileDetails } from './files.ts';
import type { VerificationStep, VerificationRecord } from './record.ts';
import { basisOf } from './review-verification.ts';
import type { StepKind, StepStatus } from './state.ts';
import {
  NO_STEP_DOCUMENTS,
  type StepAnalysis,
  type StepMetadata,
  type StepDocuments,
} from './step-documents.ts';

interface StepAct {
  actor: Actor;
  now: Date;
  /** Set if the owner of the wallet submitted it on the hosted page. */
  via?: 'HOSTED_PAGE';
}

/** The body of `PATCH /wallet-verification/{id}/additional-steps/{kind}`. */
export const ReviewStepBody = z
  .strictObject({
    status: z.enum(['VERIFIED', 'DECLINED']),
    statusReasoning: z.string().min(1).max(2_000).optional(),
    submittedAt: z.iso
      .datetime()
      .optional()
      .describe(
        'The `submittedAt` of the files that the reviewer has looked at. If others were given since, the decision is 409 ' +
          '`conflict` and nothing is decided. Without it the decision counts for the files that are stored now.',
      ),
  })
  .meta({ id: 'ReviewAdditionalStep' });
export type ReviewStepBody = z.output<typeof ReviewStepBody>;

/** Files may be submitted again after a refusal, but not while earlier ones are being reviewed. */
const TAKES_FILES: readonly StepStatus[] = ['NOT_STARTED', 'DECLINED', 'FAILED'];
/** A reviewer may overrule a failed automatic analysis. */
const REVIEWABLE: readonly StepStatus[] = ['ACTION_REQUIRED', 'FAILED'];

/** The step of this kind. Throws not_found when it was not requested. */
export function stepOf({ steps }: Pick<VerificationRecord, 'steps'>, kind: StepKind): VerificationStep {
  const step = steps.find((each) => each.kind === kind);
  if (!step) throw notFound('additional step');
  return step;
}

/** The step of this kind. Throws not_found, and invalid_transition while it accepts no files. */
export function requireStepOpen(record: Pick<VerificationRecord, 'steps'>, kind: StepKind): VerificationStep {
  const step = stepOf(record, kind);
  if (TAKES_FILES.includes(step.status)) return step;
  throw new DomainError('invalid_transition', 'This step accepts no files now.', {
    members: { allowed: [] },
  });
}

/** A file submitted for a step. */
export interface GivenFile {
  id: string;
  details: FileDetails;
  createdAt: Date;
}

/** Stores the files of a step in place of earlier ones, for review or automatic analysis. */
export function submitStep(
  record: VerificationRecord,
  kind: StepKind,
  given: { files: readonly GivenFile[]; metadata: StepMetadata | null },
  { actor, now, via }: StepAct,
): VerificationChange {
  requireStepOpen(record, kind);
  const documents = given.files.map(({ id, details: { type, bytes, sha256 }, createdAt }) => ({
    id,
    type,
    bytes,
    sha256,
    createdAt: createdAt.toISOString(),
  }));
  const stepDocuments = { documents, metadata: given.metadata, analysis: null };
  return changed(
    record,
    {
      ...withStep(record, kind, {
        status: 'ACTION_REQUIRED',
        submittedAt: now.toISOString(),
        reviewedAt: null,
      }),
      updatedAt: now,
      personal: {
        ...withStepDocuments(record, kind, stepDocuments),
        stepReasoning: reasoningWith(record, kind, undefined),
      },
    },
    {
      type: 'STEP_SUBMITTED',
      message: 'Files were submitted for an additional step.',
      actor,
      data: { kind, files: documents.length, ...(via ? { via } : {}) },
    },
  );
}

/** Applies a reviewer's decision. Throws not_found, and invalid_transition when the step does not wait for one. */
export function reviewStep(
  record: VerificationRecord,
  kind: StepKind,
  { status, statusReasoning, submittedAt }: ReviewStepBody,
  { actor, now }: StepAct,
): VerificationChange {
  const { status: before, submittedAt: stored } = stepOf(record, kind);
  if (!REVIEWABLE.includes(before)) {
    throw new DomainError('invalid_transition', 'The step does not wait for a decision.', {
      members: { allowed: [] },
    });
  }
  // One instant has several spellings: many languages leave out zeros at the end.
  if (submittedAt !== undefined && Date.parse(submittedAt) !== Date.parse(stored ?? '')) {
    throw new DomainError('conflict', 'Other files were given since: look at them, then decide.');
  }
  return changed(
    record,
    {
      ...withStep(record, kind, { status, reviewedAt: now.toISOString() }),
      updatedAt: now,
      personal: { ...record.personal, stepReasoning: reasoningWith(record, kind, statusReasoning) },
    },
    {
      type: 'STEP_REVIEWED',
      message: status === 'VERIFIED' ? 'A reviewer accepted a step.' : 'A reviewer declined a step.',
      actor,
      data: { kind, previousStepStatus: before, newStepStatus: status },
      basis: basisOf(actor),
    },
  );
}

/**
 * Stores the automatic analysis of a selfie. With `autoConfirm` it also decides the step: PASS verifies it, FAIL fails
 * it. Null if a reviewer has decided or other files were submitted in the meantime.
 */
export function recordAnalysis(
  record: VerificationRecord,
  analysis: StepAnalysis,
  analysed: { submittedAt: string | null; now: Date },
): VerificationChange | null {
  const step = record.steps.find(({ kind }) => kind === 'SELFIE');
  if (step?.status !== 'ACTION_REQUIRED' || step.submittedAt !== analysed.submittedAt) return null;
  const status = step.autoConfirm ? AUTOMATIC[analysis.result] : step.status;
  const isDecided = status !== step.status;
  const { now } = analysed;
  const stepDocuments = { ...stepDocumentsOf(record, 'SELFIE'), analysis };
  return changed(
    record,
    {
      ...withStep(record, 'SELFIE', { status, reviewedAt: isDecided ? now.toISOString() : null }),
      updatedAt: now,
      personal: withStepDocuments(record, 'SELFIE', stepDocuments),
    },
    {
      type: 'STEP_ANALYSED',
      message: 'The selfie was analysed automatically.',
      actor: SYSTEM,
      data: { kind: 'SELFIE', result: analysis.result, newStepStatus: status },
    },
  );
}

const AUTOMATIC: Record<StepAnalysis['result'], StepStatus> = {
  PASS: 'VERIFIED',
  FAIL: 'FAILED',
  INCONCLUSIVE: 'ACTION_REQUIRED',
};

/** The last submission for a step. */
export function stepDocumentsOf(
  { personal }: Pick<VerificationRecord, 'personal'>,
  kind: StepKind,
): StepDocuments {
  return personal.stepPapers?.[kind] ?? NO_STEP_DOCUMENTS;
}

function withStep({ steps }: VerificationRecord, kind: StepKind, fields: Partial<VerificationStep>) {
  return { steps: steps.map((step) => (step.kind === kind ? { ...step, ...fields } : step)) };
}

function withStepDocuments({ personal }: VerificationRecord, kind: StepKind, stepDocuments: StepDocuments) {
  return { ...personal, stepPapers: { ...personal.stepPapers, [kind]: stepDocuments } };
}

function reasoningWith({ personal }: VerificationRecord, kind: StepKind, text: string | undefined) {
  const { [kind]: _before, ...others } = personal.stepReasoning;
  return text === undefined ? others : { ...others, [kind]: text };
}
