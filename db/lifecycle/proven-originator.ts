import type { Gateway } from '../../domain/gateways/gateway.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import type { Queryable } from '../postgres.ts';
import { senderEntityOf } from '../trp/transfers.ts';
import { namedVasp } from './resolve-counterparty.ts';

interface MessageOfOutside {
  message: TransactionRecord;
  /** The claim that it answers. */
  answers: { entityId: string | null } | undefined;
}

/**
 * The entity of the originator VASP that a message from outside names, if its network vouches for it: a partner speaks for
 * the entities that operators have put on its network, and for no tenant of this deployment; by TRP the certificate of the
 * sender does, by e-mail the mailbox that has got the claim.
 */
export async function provenOriginator(
  db: Queryable,
  { gateway, name: network }: { gateway: Gateway | null; name: string },
  { message: { id, personal }, answers }: MessageOfOutside,
): Promise<string | null> {
  if (gateway === 'TRP') return await senderEntityOf(db, id);
  if (gateway === 'EMAIL') return answers?.entityId ?? null;
  if (gateway !== 'PARTNER') return null;
  const named = await namedVasp(db, personal.vaspInfo.originatorVaspName);
  const isOnNetwork = named?.tenantId === null && named.networks.includes(network);
  return isOnNetwork ? named.entityId : null;
}
