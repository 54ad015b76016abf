import { normalAddress } from '../../domain/address.ts';
import type { AskedAddress } from '../../domain/address-questions/question.ts';
import { chainFields } from '../../domain/normalised-places.ts';
import { isFinal, type Status } from '../../domain/transactions/state.ts';
import type { Queryable } from '../postgres.ts';

/** The receiver of a delivered message, and its destination on another blockchain. */
export interface Rematched {
  tenantId: string;
  address: AskedAddress;
}

interface ReceivedRow {
  tenant_id: string;
  status: Status;
  asset: string;
  destination: string;
  destination_tag: string | null;
  blockchain_key: string | null;
}

/**
 * Whose wallet the destination of a message has to be once its blockchain is the given one. Null where no wallet is looked for:
 * the record is no delivered message that is still open, the chain is the present one, or the address cannot be on it.
 */
export async function findRematched(
  db: Queryable,
  { tenantId, id }: { tenantId: string; id: string },
  blockchain: string | null,
): Promise<Rematched | null> {
  const { rows } = await db.query<ReceivedRow>(
    `select i.tenant_id, i.status, i.asset, i.destination, i.destination_tag, i.blockchain_key
     from message_pairs p join transactions i on i.tenant_id = p.incoming_tenant_id and i.id = p.incoming_id
     where (p.outgoing_tenant_id = $1 and p.outgoing_id = $2) or (p.incoming_tenant_id = $1 and p.incoming_id = $2)`,
    [tenantId, id],
  );
  const [received] = rows;
  if (!received || isFinal(received.status)) return null;
  const { asset, destination, destination_tag: destinationTag } = received;
  const chain = chainFields(blockchain, asset);
  const normal = normalAddress(chain.blockchain, destination);
  if (!normal.ok || chain.blockchainKey === received.blockchain_key) return null;
  const address = { ...chain, asset, destination, destinationTag, destinationNormal: normal.normal };
  return { tenantId: received.tenant_id, address };
}
