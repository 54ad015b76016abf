import { requireItem, type ScannedBlock, type ChainTransfer } from './block.ts';
import { hashPartyKey } from './hash-recipient.ts';
import { NATIVE } from './scan-chain.ts';

/** The result of `eth_getBlockByNumber` with full transactions. */
export interface EvmBlock {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  transactions: readonly { hash: string; from: string; to: string | null; value: string }[];
}

/** The result of `eth_getLogs`. */
export interface EvmLog {
  address: string;
  topics: readonly string[];
  data: string;
  logIndex: string;
  transactionIndex: string;
}

/** keccak256('Transfer(address,address,uint256)'), the event of ERC-20. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The transfers of a block: of the native coin and of the tokens whose logs are given. */
export function scanEvmBlock(block: EvmBlock, logs: readonly EvmLog[]): ScannedBlock {
  const hashes = block.transactions.map(({ hash }) => hash);
  const transfers = [...block.transactions.flatMap(nativeTransfer), ...logs.flatMap(tokenTransfer)];
  return {
    height: Number(block.number),
    hash: block.hash,
    parentHash: block.parentHash,
    time: new Date(Number(block.timestamp) * 1_000),
    recipientHashes: transfers.map(({ recipient }) => hashPartyKey(recipient)),
    transferAt: (index) => requireItem(transfers[index]),
    hashOf: (transaction) => hashes[transaction] ?? '',
    findTransactions: (searched) => hashes.flatMap((hash, index) => (searched.has(hash) ? [index] : [])),
  };
}

function nativeTransfer(
  { from, to, value }: EvmBlock['transactions'][number],
  transaction: number,
): ChainTransfer[] {
  const units = BigInt(value);
  if (to === null || units === 0n) return [];
  const [sender, recipient] = [from.toLowerCase(), to.toLowerCase()];
  return [{ transaction, position: -1, asset: NATIVE, sender, recipient, units }];
}

/** The transfer of an ERC-20 log. ERC-721 has the same event with a token id as fourth topic, which is ignored. */
function tokenTransfer({ address, topics, data, logIndex, transactionIndex }: EvmLog): ChainTransfer[] {
  const [event, from, to, ...more] = topics;
  if (event !== TRANSFER_TOPIC || from === undefined || to === undefined || more.length > 0) return [];
  if (!/^0x[0-9a-f]{64}$/i.test(data)) return [];
  const units = BigInt(data);
  if (units === 0n) return [];
  return [
    {
      transaction: Number(transactionIndex),
      position: Number(logIndex),
      asset: address.toLowerCase(),
      sender: addressOfTopic(from),
      recipient: addressOfTopic(to),
      units,
    },
  ];
}

function addressOfTopic(topic: string): string {
  return `0x${topic.slice(-40).toLowerCase()}`;
}
