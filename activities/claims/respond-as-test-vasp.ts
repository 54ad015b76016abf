import { changeClaim } from '../../db/claims/change-claim.ts';
import { findClaimOfWorkflow } from '../../db/claims/find-claim.ts';
import { deliverNewMessage } from '../../db/lifecycle/deliver-new-message.ts';
import { newId } from '../../db/new-id.ts';
import { inTransaction } from '../../db/postgres.ts';
import { findTestVaspOf } from '../../db/tenants/find-test-vasp.ts';
import { NO_CLAIM_CHANGE } from '../../domain/claims/change.ts';
import { patchClaim } from '../../domain/claims/end-claim.ts';
import { claimedTransfer } from '../../domain/claims/new-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { SYSTEM } from '../../domain/events/actor.ts';
import { testVaspMessage } from '../../domain/transactions/test-vasps/test-vasp-message.ts';
import type { ClaimDeps } from './claim-deps.ts';

/**
 * Responds to a claim that was made to a test VASP as that responds to messages: it sends the message of the transfer,
 * refuses, or says nothing. Does nothing for any other tenant.
 */
export async function respondAsTestVasp(deps: ClaimDeps, asked: ClaimRecord): Promise<void> {
  const testVasp = await findTestVaspOf(deps.db.pool, asked.tenantId);
  if (testVasp?.behaviour === 'CONFIRMS') await sendMessage(deps, asked, testVasp);
  if (testVasp?.behaviour === 'DECLINES') await refuse(deps, asked);
}

const REFUSAL = { status: 'DECLINED', statusReasoning: 'A test VASP refused the claim.' } as const;

async function refuse({ db, now, notifyWorkflows }: ClaimDeps, { tenantId, id }: ClaimRecord): Promise<void> {
  const at = now();
  const { outbox } = await changeClaim(db, {
    tenantId,
    id,
    now: at,
    decide: (own, counterpart) =>
      own.status === 'DELIVERED'
        ? patchClaim(own, counterpart, REFUSAL, { actor: SYSTEM, now: at })
        : NO_CLAIM_CHANGE,
  });
  notifyWorkflows(outbox);
}

const ORIGINATOR = { type: 'NATURAL', name: 'Greta Lindqvist', country: 'SE' } as const;

/** Sends a message of the claimed transfer, which answers the claim. Its amount is not known. */
async function sendMessage(
  { db, now, notifyWorkflows }: ClaimDeps,
  { counterpartId }: ClaimRecord,
  testVasp: { id: string; name: string },
): Promise<void> {
  const claim = counterpartId === null ? undefined : await findClaimOfWorkflow(db, counterpartId);
  if (!claim) return;
  const at = now();
  const transfer = { ...claimedTransfer(claim), direction: 'INCOMING' as const, originator: ORIGINATOR };
  const receiver = { name: claim.personal.beneficiaryVaspName ?? '' };
  const message = testVaspMessage(transfer, {
    id: newId(at),
    testVasp,
    receiver,
    now: at,
    price: undefined,
  });
  const { outbox } = await inTransaction(
    db.pool,
    async (tx) =>
      await deliverNewMessage(db, tx, {
        ...message,
        receiverTenantId: claim.tenantId,
        judged: null,
        now: at,
      }),
  );
  notifyWorkflows(outbox);
}
