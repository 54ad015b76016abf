import type pg from 'pg';
import { submitWatch } from '../../db/chain-scan/watches.ts';
import { KeyTaken, type IdempotentCall } from '../../db/idempotency/idempotency.ts';
import { changeVerification, changeVerificationIn } from '../../db/verifications/change-verification.ts';
import { claimMessage } from '../../db/verifications/claim-message.ts';
import { requireAllowed } from '../../db/verifications/count-attempt.ts';
import type { OpenVerification } from '../../db/verifications/row.ts';
import { showVerification } from '../../db/verifications/show-verification.ts';
import { invalidField, notFound } from '../../domain/errors.ts';
import type { Actor } from '../../domain/events/actor.ts';
import type { VerificationChange } from '../../domain/verifications/change.ts';
import { acceptVisualProof } from '../../domain/verifications/files.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import type { SubmitProofBody } from '../../domain/verifications/schema.ts';
import {
  acceptSignature,
  countBadTry,
  declareOwnership,
  isBadTry,
  requireSubmittable,
  startSatoshiTest,
  type CheckedSignature,
} from '../../domain/verifications/submission.ts';
import type { Deps } from '../deps.ts';
import type { CommitEffect } from '../idempotency.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { contractChecker } from './check-contract-signature.ts';
import { checkSignatureProof, refuseReplay } from './check-signature-proof.ts';
import type { ReceivedFiles } from './receive-files.ts';

/** Whose proof it is and who brings it. */
export interface ProofSubmitter {
  tenantId: string;
  id: string;
  actor: Actor;
  via?: 'HOSTED_PAGE';
  isForm: boolean;
  /** What came with the form. */
  files?: ReceivedFiles;
  commit: CommitEffect;
  idempotency: () => IdempotentCall | null;
}

/** What becomes of the locked record; may write what belongs to the proof in the same transaction. */
interface SubmittedProof {
  decide: (tx: pg.PoolClient) => Promise<(record: VerificationRecord) => VerificationChange | null>;
  /** A good signature, for the time being of a text that was never used before: most need no lock at all. */
  alone?: CheckedSignature;
}

/**
 * Checks a proof and stores what it leads to; the state is checked before anything is counted, and again under the
 * lock. Of a wrong proof only the number and the code of its refusal are kept; the tenth one ends the verification.
 * Throws KeyTaken for a repeat under the same Idempotency-Key.
 */
export async function submitProof(
  deps: Deps,
  submitter: ProofSubmitter,
  submission: SubmitProofBody,
): Promise<EndpointAnswer> {
  const { db } = deps;
  const { tenantId, id } = submitter;
  const { verificationFlow } = submission;
  const now = new Date();
  const { isRepeat, open, attempt } = await deps.admitProof({
    tenantId,
    id,
    flow: verificationFlow,
    key: submitter.idempotency()?.key ?? null,
    wasCounted: submitter.files?.isCounted() ?? false,
    now,
  });
  if (isRepeat) throw new KeyTaken();
  if (!open) throw notFound('verification');
  requireSubmittable(open.record, verificationFlow, now);
  if (attempt) requireAllowed(attempt, now);
  const deed = { ...submitter, now };
  try {
    const proof = await checkProof(deps, open.record, submission, deed);
    const accepted = proof.alone && (await acceptAlone(deps, open, proof.alone, deed));
    return accepted ?? (await store(deps, deed, proof));
  } catch (error) {
    if (verificationFlow !== 'SIGNATURE_PROOF' || !isBadTry(error)) throw error;
    const decide = (own: VerificationRecord) => countBadTry(own, error.code, deed);
    const { outbox } = await changeVerification(db, { tenantId, id, now, decide });
    deps.notifyWorkflows(outbox);
    throw error;
  }
}

type SubmissionContext = ProofSubmitter & { now: Date };

/** Everything that takes time or asks somebody else happens here, before the record is locked. */
async function checkProof(
  deps: Deps,
  record: VerificationRecord,
  submission: SubmitProofBody,
  deed: SubmissionContext,
): Promise<SubmittedProof> {
  switch (submission.verificationFlow) {
    case 'SIGNATURE_PROOF': {
      const checked = await checkSignatureProof(record, submission, {
        walletUrl: deps.db.walletUrl,
        now: deed.now,
        isForm: deed.isForm,
        tryContract: contractChecker(deps, record),
      });
      const decide: SubmittedProof['decide'] = async (tx) => {
        const isNew = await claimMessage(tx, record, checked.message, deed.now);
        if (!isNew) refuseReplay(record);
        const warnings = isNew ? checked.warnings : [...checked.warnings, 'MESSAGE_REPLAYED' as const];
        return (own) => acceptSignature(own, { ...checked, warnings }, deed);
      };
      return { decide, alone: checked };
    }
    case 'SELF_DECLARED':
      return { decide: async () => await Promise.resolve((own) => declareOwnership(own, deed)) };
    case 'SATOSHI_TEST':
      return {
        async decide(tx) {
          await submitWatch(tx, record.id, deed.now);
          return (own) => startSatoshiTest(own, deed);
        },
      };
    case 'VISUAL_PROOF': {
      const { files } = deed;
      const count = files?.all().length ?? 0;
      if (!files || count === 0) {
        throw invalidField('/files', 'required', 'Send multipart/form-data with one to three files.');
      }
      return {
        async decide(tx) {
          await files.keep(tx);
          return (own) => acceptVisualProof(own, count, deed);
        },
      };
    }
  }
}

/** Writes a signature together with others that arrive; null where it must be decided under the lock. */
async function acceptAlone(
  { db, notifyWorkflows, acceptProof }: Deps,
  open: OpenVerification,
  checked: CheckedSignature,
  deed: SubmissionContext,
): Promise<EndpointAnswer | null> {
  const { now } = deed;
  const change = acceptSignature(open.record, checked, deed);
  const idempotency = deed.idempotency();
  const accepted = await acceptProof({ open, change, message: checked.message, idempotency, now });
  if (!accepted) return null;
  notifyWorkflows(accepted.outbox);
  return { status: 200, body: showVerification(db, accepted.open) };
}

async function store(
  { db }: Deps,
  { tenantId, id, now, commit }: SubmissionContext,
  { decide }: SubmittedProof,
): Promise<EndpointAnswer> {
  return await commit(async (tx) => {
    const { open, outbox } = await changeVerificationIn(db, tx, {
      tenantId,
      id,
      now,
      decide: await decide(tx),
    });
    const sealer = { verificationId: id, key: open.key };
    return { status: 200, body: showVerification(db, open), outbox, sealer };
  });
}
