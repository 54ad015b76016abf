import type { Party } from '../../parties/party.ts';
import type { TransactionRecord } from '../../transactions/record.ts';

/** The customer as one party of a transaction. */
export interface CustomerParty {
  role: 'ORIGINATOR' | 'ADDITIONAL_ORIGINATOR' | 'BENEFICIARY';
  party: Party;
}

/**
 * The parties of a transaction that are this customer of the tenant: on its own side, since the other VASP numbers its customers
 * in its own way. None while the tenant must not see the parties.
 */
export function partiesOfCustomer(
  record: TransactionRecord,
  customerIdentification: string,
): CustomerParty[] {
  if (record.sealed) return [];
  return ownParties(record).filter(({ party }) => party.customerIdentification === customerIdentification);
}

function ownParties({ direction, personal }: TransactionRecord): CustomerParty[] {
  const { originator, beneficiary, additionalOriginators } = personal;
  if (direction === 'INCOMING') return beneficiary ? [{ role: 'BENEFICIARY', party: beneficiary }] : [];
  const others = additionalOriginators.map((party) => ({ role: 'ADDITIONAL_ORIGINATOR', party }) as const);
  return originator ? [{ role: 'ORIGINATOR', party: originator }, ...others] : others;
}
