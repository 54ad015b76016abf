import { requireSameVasp } from '../../db/lifecycle/new-counterparty.ts';
import { proposeOrAgree, type ProposalOutcome } from '../../db/proposals/propose-or-agree.ts';
import { reviewBasis } from '../../db/proposals/proposal-status.ts';
import type { Queryable } from '../../db/postgres.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import type { TransactionCommand } from '../../db/transactions/change-transaction.ts';
import { requireComparedLists } from '../../db/transactions/compared-lists.ts';
import type { ProposalRecord } from '../../domain/proposals/proposal.ts';
import { NO_CHANGE } from '../../domain/transactions/change.ts';
import {
  needsTwoReviewers,
  reviewTransaction,
  withFirstReview,
  type ReviewDecision,
} from '../../domain/transactions/deciding/review.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { NOT_LOOKED, requireSeen } from '../../domain/transactions/screening-due.ts';
import type { ReviewBody } from '../../domain/transactions/schema.ts';
import type { ActRequest } from '../act-request.ts';
import { actorOf } from '../caller.ts';
import type { Deps } from '../deps.ts';
import type { EndpointAnswer } from '../send-answer.ts';
import { commitChange } from './commit-change.ts';

/**
 * Decides on a transaction that waits for a review. With four eyes the first PROCEED is a proposal, and the second is decided on
 * what is known by then. Throws not_found, invalid_transition, screening_pending, conflict, forbidden.
 */
export async function review(
  deps: Deps,
  id: string,
  { caller, commit, body, approves }: ActRequest<ReviewBody>,
): Promise<EndpointAnswer> {
  const { tenantId } = caller;
  const proceeds = body.decision === 'PROCEED';
  const looked = proceeds ? await deps.screenInRequest({ tenantId, id }) : NOT_LOOKED;
  const { vasp } = looked;
  const now = new Date();
  const { fourEyes } = await getTenantSettings(deps.db.pool, tenantId);
  const keys = await deps.db.vault.tenantKeys(tenantId);
  let outcome: ProposalOutcome | null = null;
  const command: TransactionCommand = {
    tenantId,
    id,
    now,
    decide: (own, counterpart) => {
      const act = { actor: actorOf(caller), now, vaspEntityId: vasp?.entityId };
      const reviewed = reviewTransaction(own, counterpart, body, act);
      requireSeen(looked, own);
      return reviewed;
    },
    complete: async (tx, decided, { own }) => {
      outcome = null;
      const takesTwo = approves !== null || (fourEyes.review && needsTwoReviewers(own, body));
      if (!takesTwo) return decided;
      const act = { kind: 'REVIEW', subjectId: id, basis: reviewBasis(own), request: body } as const;
      outcome = await proposeOrAgree(tx, act, { caller, keys, now, approves });
      return outcome.isAgreed ? withFirstReview(decided, own, firstOf(outcome.proposal)) : NO_CHANGE;
    },
    also: async (tx: Queryable, written: TransactionRecord) => {
      if (!proceeds) return;
      await requireComparedLists(tx, written);
      await requireSameVasp(deps.db, tx, { written, described: vasp });
    },
  };
  return await commitChange(
    deps,
    { caller, commit, status: 200, proposal: () => outcome?.proposal },
    command,
  );
}

function firstOf({ id, proposedBy, createdAt, request }: ProposalRecord) {
  return { proposalId: id, by: proposedBy, at: createdAt, review: request as ReviewDecision | null };
}
