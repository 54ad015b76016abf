import type { FileKind } from './files.ts';
import type { VerificationRecord, VerificationStep } from './record.ts';
import { stepDocumentsOf } from './steps.ts';
import type { StepStatus, VerificationStatus } from './state.ts';

/** What a change of a verification means for how long its files are kept. */
export interface FileRetention {
  /** Kinds whose stored files are removed some time after this change, unless they were refused before. */
  refused: FileKind[];
  /** Ids of files that this change decides to refuse: their time counts from now, also if it counted from an end before. */
  declined: string[];
  /** Ids of files that are kept although the verification ended before they were accepted. */
  accepted: string[];
}

const ENDED: readonly VerificationStatus[] = ['DECLINED', 'FAILED', 'DELETED'];
const REFUSED: readonly StepStatus[] = ['DECLINED', 'FAILED'];
const DECIDED: readonly StepStatus[] = [...REFUSED, 'VERIFIED'];

/**
 * The files that a change refuses or accepts: those of a declined proof or step, every decided selfie, and what nobody has
 * decided of a verification that ended. Other changes, such as of a note, decide about no file.
 */
export function fileRetention(before: VerificationRecord, after: VerificationRecord): FileRetention {
  const steps = after.steps.filter((step) => isEnding(before, after) || isChanged(before, step));
  const refused = steps.filter((step) => isRefused(step, after)).map(({ kind }) => kind);
  const declined = steps.filter((step) => isDecidedNow(before, step) && isRefused(step, after));
  const accepted = steps.filter(
    ({ kind, status }) => kind !== 'SELFIE' && status === 'VERIFIED' && hasEnded(before),
  );
  return {
    refused: isProofRefused(before, after) ? ['VISUAL_PROOF', ...refused] : refused,
    declined: declined.flatMap((step) => filesOf(after, step)),
    accepted: accepted.flatMap((step) => filesOf(after, step)),
  };
}

function filesOf(record: VerificationRecord, { kind }: VerificationStep): string[] {
  return stepDocumentsOf(record, kind).documents.map(({ id }) => id);
}

function hasEnded({ status }: VerificationRecord): boolean {
  return ENDED.includes(status);
}

function isEnding(before: VerificationRecord, after: VerificationRecord): boolean {
  return before.status !== after.status && hasEnded(after);
}

/** A proof that was accepted stays when its verification is deleted. */
function isProofRefused(before: VerificationRecord, after: VerificationRecord): boolean {
  const isKept = after.status === 'DELETED' && before.status === 'VERIFIED';
  return after.flow === 'VISUAL_PROOF' && isEnding(before, after) && !isKept;
}

function isChanged({ steps }: VerificationRecord, step: VerificationStep): boolean {
  const old = steps.find(({ kind }) => kind === step.kind);
  return old?.status !== step.status || old.submittedAt !== step.submittedAt;
}

function isDecidedNow({ steps }: VerificationRecord, { kind, status }: VerificationStep): boolean {
  return DECIDED.includes(status) && steps.find((step) => step.kind === kind)?.status !== status;
}

function isRefused({ kind, status }: VerificationStep, after: VerificationRecord): boolean {
  if (kind === 'SELFIE' ? DECIDED.includes(status) : REFUSED.includes(status)) return true;
  return status !== 'VERIFIED' && hasEnded(after);
}
