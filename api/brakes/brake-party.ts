import { newId } from '../../db/new-id.ts';
import type { BrakeActor, BrakeRecord } from '../../domain/brakes/brake.ts';
import type { SetBrakeBody } from '../../domain/brakes/schema.ts';
import type { OperatorCaller, TenantCaller } from '../caller.ts';

/** Who sets or ends a brake. */
export function brakeParty({ actor }: TenantCaller | OperatorCaller): BrakeActor {
  return actor.kind === 'OPERATOR' ? { kind: 'OPERATOR', id: actor.operatorName } : actor;
}

/** A brake that is on from now. */
export function newBrake(tenantId: string, body: SetBrakeBody, setBy: BrakeActor, now: Date): BrakeRecord {
  const { kind, counterpartyEntityId = null, reason } = body;
  return {
    id: newId(now),
    tenantId,
    kind,
    counterpartyEntityId,
    reason,
    setBy,
    setAt: now,
    releasedBy: null,
    releasedAt: null,
    perSecond: null,
    resumed: 0,
    finishedAt: null,
  };
}
