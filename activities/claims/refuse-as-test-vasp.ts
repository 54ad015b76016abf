import { changeClaim } from '../../db/claims/change-claim.ts';
import { patchClaim } from '../../domain/claims/end-claim.ts';
import { SYSTEM } from '../../domain/events/actor.ts';
import type { ClaimDeps } from './claim-activities.ts';

/** Refuses a claim for the test VASP that declines everything. A repeat does nothing. */
export async function refuseAsTestVasp(
  { db, now, notifyWorkflows }: ClaimDeps,
  tenantId: string,
  id: string,
): Promise<void> {
  const at = now();
  const refusal = { status: 'DECLINED' as const, statusReasoning: 'A test VASP refused the claim.' };
  const { outbox } = await changeClaim(db, {
    tenantId,
    id,
    now: at,
    decide: (own, counterpart) =>
      own.status === 'DELIVERED'
        ? patchClaim(own, counterpart, refusal, { actor: SYSTEM, now: at })
        : { own: null, counterpart: null },
  });
  notifyWorkflows(outbox);
}
