import { findBrakeOnWay } from '../brakes/find-brake.ts';
import type { Queryable } from '../postgres.ts';
import { MessagePaused } from './pause-message.ts';
import type { ArrivalPlan } from './plan-arrival.ts';

/**
 * Read under the locks of both tenants, so that nothing passes a brake that is on. What a VASP outside has taken by TRP was
 * sent before. Throws MessagePaused.
 */
export async function requireNoBrake(
  tx: Queryable,
  { parties, delivered, received }: ArrivalPlan,
): Promise<void> {
  const { sender, receiver } = parties;
  if (receiver.gateway === 'TRP') return;
  const brakeId = await findBrakeOnWay(tx, {
    senderTenantId: sender.id,
    receiverTenantId: receiver.id,
    receiverEntityId: delivered.after.counterpartyEntityId,
    senderEntityId: received.after.counterpartyEntityId,
  });
  if (brakeId !== undefined) throw new MessagePaused(brakeId);
}
