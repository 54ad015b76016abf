import { changeClaim } from '../../db/claims/change-claim.ts';
import { deliverNewMessage } from '../../db/lifecycle/deliver-new-message.ts';
import { newId } from '../../db/new-id.ts';
import { inTransaction } from '../../db/postgres.ts';
import { findTestVasp } from '../../db/tenants/find-test-vasp.ts';
import { NO_CLAIM_CHANGE } from '../../domain/claims/change.ts';
import { patchClaim } from '../../domain/claims/end-claim.ts';
import { claimedTransfer } from '../../domain/claims/new-claim.ts';
import type { ClaimRecord } from '../../domain/claims/record.ts';
import { SYSTEM } from '../../domain/events/actor.ts';
import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import { testVaspMessage } from '../../domain/transactions/test-vasps/test-vasp-message.ts';
import type { ClaimDeps } from './claim-activities.ts';

interface ClaimOfTestVasp {
  /** The asking tenant's claim. */
  claim: ClaimRecord;
  /** The test VASP's record of it. */
  incomingId: string;
  /** The test VASP. */
  tenantId: string;
  behaviour: TestBehaviour;
}

/** Responds to a claim as the test VASP does to messages: it sends the message of the transfer, refuses, or says nothing. */
export async function respondAsTestVasp(deps: ClaimDeps, asked: ClaimOfTestVasp): Promise<void> {
  if (asked.behaviour === 'CONFIRMS') await sendMessage(deps, asked);
  if (asked.behaviour === 'DECLINES') await refuse(deps, asked);
}

const REFUSAL = { status: 'DECLINED', statusReasoning: 'A test VASP refused the claim.' } as const;

async function refuse(
  { db, now, notifyWorkflows }: ClaimDeps,
  { tenantId, incomingId }: ClaimOfTestVasp,
): Promise<void> {
  const at = now();
  const { outbox } = await changeClaim(db, {
    tenantId,
    id: incomingId,
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
  { claim, behaviour }: ClaimOfTestVasp,
): Promise<void> {
  const testVasp = await findTestVasp(db.pool, behaviour);
  const at = now();
  if (!testVasp) return;
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
