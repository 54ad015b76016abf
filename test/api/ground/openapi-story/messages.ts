import type { Transaction } from '../../../../domain/transactions/schema.ts';
import type { Json } from '../../../api-client.ts';
import { eventually } from '../../../eventually.ts';
import type { Client } from '../../../factories/tenant.ts';

/** A message about 1 ETH for a wallet that nobody has registered. */
export const messageOf = (originator: string, vaspInfo?: Json) => ({
  asset: 'ETH',
  amount: '1',
  blockchainInfo: {
    blockchain: 'Ethereum',
    destination: '0x27b1fdb04752bbc536007a920d24acb045561c26',
    destinationType: 'CUSTODIAL',
  },
  originator: { type: 'NATURAL', name: originator },
  beneficiary: { type: 'NATURAL', name: 'Jonas Brandt' },
  ...(vaspInfo && { vaspInfo }),
});

/** Waits until the transaction of this id is as wanted. */
export const transactionOf = async (tenant: Client, id: unknown, fits: (read: Transaction) => boolean) =>
  await eventually(async () => (await tenant.get<Transaction>(`/transactions/${String(id)}`)).body, fits);
