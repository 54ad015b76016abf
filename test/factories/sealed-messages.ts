import type { Transaction } from '../../domain/transactions/schema.ts';
import type { TestApi } from '../api-client.ts';
import type { TestTenant } from './tenant.ts';
import { createTransaction, deliver, evmAddress, readTransaction } from './transaction.ts';

const AT_ONCE = 8;

export interface SealedMessages {
  /** The wallet that was detected for all of them. */
  walletId: number;
  destination: string;
  outgoingIds: string[];
  incomingIds: string[];
}

/** Messages to one address that the receiver has not registered: all are sealed until it confirms the wallet. */
export async function sealedMessages(
  api: TestApi,
  from: TestTenant,
  to: TestTenant,
  count: number,
): Promise<SealedMessages> {
  const destination = evmAddress();
  const outgoingIds: string[] = [];
  const incomingIds: string[] = [];
  const sendOne = async (index: number) => {
    const sent = await createTransaction(from, {
      blockchainInfo: { destination },
      originator: { name: `Anna Keller ${index}` },
      beneficiary: { name: 'Jonas Brandt' },
    });
    outgoingIds[index] = sent.id;
    incomingIds[index] = await deliver(api, from, to, sent.id);
  };
  for (let start = 0; start < count; start += AT_ONCE) {
    const indices = Array.from({ length: Math.min(AT_ONCE, count - start) }, (_, place) => start + place);
    await Promise.all(indices.map(sendOne));
  }
  const first: Transaction = await readTransaction(to, incomingIds[0] ?? '');
  return { walletId: first.blockchainInfo.destinationWalletId ?? 0, destination, outgoingIds, incomingIds };
}
