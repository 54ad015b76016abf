import type pg from 'pg';
import { submitWatch } from '../../db/chain-scan/watches.ts';
import { KeyTaken } from '../../db/idempotency/idempotency.ts';
import type { IdempotentCall } from '../../db/idempotency/idempotent-call.ts';
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

/** The verification of a proof, its submitter and its request. */
export interface ProofSubmitter {
  tenantId: string;
  id: string;
  actor: Actor;
  via?: 'HOSTED_PAGE';
  isForm: boolean;
  /** The files of the form. */
  files?: ReceivedFiles;
  commit: CommitEffect;
  idempotency: () => IdempotentCall | null;
}

/** A checked proof. */
interface SubmittedProof {
  /** Writes the proof's own rows in the transaction, and returns the function that changes the locked verification. */
  decide: (tx: pg.PoolClient) => Promise<(record: VerificationRecord) => VerificationChange | null>;
  /** A correct signature. It is first stored without a lock, which succeeds if its text was never used before. */
  alone?: CheckedSignature;
}

/**
 * Checks a proof, stores its result and answers 200. The status is checked first and again with the verification locked.
 * For a wrong proof only the count and the error code are stored; the tenth one ends the verification. Throws `PROOF_ERRORS`,
 * rate_limited, not_found, and KeyTaken for a repeat under the same Idempotency-Key.
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
  const context = { ...submitter, now };
  try {
    const proof = await checkProof(deps, open.record, submission, context);
    const accepted = proof.alone && (await acceptAlone(deps, open, proof.alone, context));
    return accepted ?? (await store(deps, context, proof));
  } catch (error) {
    if (verificationFlow !== 'SIGNATURE_PROOF' || !isBadTry(error)) throw error;
    const decide = (own: VerificationRecord) => countBadTry(own, error.code, context);
    const { outbox } = await deps.writeInTurn(
      tenantId,
      async () => await changeVerification(db, { tenantId, id, now, decide }),
    );
    deps.notifyWorkflows(outbox);
    throw error;
  }
}

type SubmissionContext = ProofSubmitter & { now: Date };

/** Checks a proof before the verification is locked, because slow work and network calls must not hold the lock. */
async function checkProof(
  deps: Deps,
  record: VerificationRecord,
  submission: SubmitProofBody,
  context: SubmissionContext,
): Promise<SubmittedProof> {
  switch (submission.verificationFlow) {
    case 'SIGNATURE_PROOF': {
      const checked = await checkSignatureProof(record, submission, {
        walletUrl: deps.db.walletUrl,
        now: context.now,
        isForm: context.isForm,
        tryContract: contractChecker(deps, record),
      });
      const decide: SubmittedProof['decide'] = async (tx) => {
        const isNew = await claimMessage(tx, record, checked.message, context.now);
        if (!isNew) refuseReplay(record);
        const warnings = isNew ? checked.warnings : [...checked.warnings, 'MESSAGE_REPLAYED' as const];
        return (own) => acceptSignature(own, { ...checked, warnings }, context);
      };
      return { decide, alone: checked };
    }
    case 'SELF_DECLARED': {
      const { declaration } = submission;
      return {
        decide: async () => await Promise.resolve((own) => declareOwnership(own, context, declaration)),
      };
    }
    case 'SATOSHI_TEST':
      return {
        async decide(tx) {
          await submitWatch(tx, record.id, context.now);
          return (own) => startSatoshiTest(own, context);
        },
      };
    case 'VISUAL_PROOF': {
      const { files } = context;
      const count = files?.all().length ?? 0;
      if (!files || count === 0) {
        throw invalidField('/files', 'required', 'Send multipart/form-data with one to three files.');
      }
      return {
        async decide(tx) {
          await files.keep(tx);
          return (own) => acceptVisualProof(own, count, context);
        },
      };
    }
  }
}

/** Stores a signature in one batch with others that arrive. Returns null if it has to be decided with the record locked. */
async function acceptAlone(
  { db, notifyWorkflows, acceptProof }: Deps,
  open: OpenVerification,
  checked: CheckedSignature,
  context: SubmissionContext,
): Promise<EndpointAnswer | null> {
  const { now } = context;
  const change = acceptSignature(open.record, checked, context);
  const idempotency = context.idempotency();
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
