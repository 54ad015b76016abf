import { z } from 'zod';
import type { EvmHistory, WalletMovement } from '../domain/wallet-intelligence/activity.ts';
import { askJson, lookUpLimits, NoAnswer } from './ask-node.ts';

/** Two pages of transactions and one of tokens: three requests, at most 200 transactions. */
const PAGE = 100;

const Digits = z.string().regex(/^\d{1,78}$/);
const Address = z.string().regex(/^0x[0-9a-f]{40}$/i);
const IndexerEntry = z.object({
  hash: z.string().regex(/^0x[0-9a-f]{64}$/i),
  timeStamp: Digits,
  blockNumber: Digits,
  from: Address,
  to: z.union([Address, z.literal(''), z.null()]).optional(),
  value: Digits,
  gasPrice: Digits.optional(),
  gas: Digits.optional(),
  input: z.string().optional(),
  isError: z.string().optional(),
  contractAddress: z.string().optional(),
});
type IndexerEntry = z.infer<typeof IndexerEntry>;
const Listing = z.object({ status: z.string(), result: z.array(IndexerEntry) });

/** The newest transactions of an address by an indexer that speaks as Etherscan and Blockscout do. Throws NoAnswer. */
export async function readEvmHistory(
  indexerUrl: string,
  address: string,
  signal: AbortSignal,
): Promise<EvmHistory> {
  const page = async (action: string, number: number) =>
    await readPage(pageUrl(indexerUrl, action, address, number), signal);
  const [newest, tokens] = await Promise.all([page('txlist', 1), page('tokentx', 1)]);
  const older = newest.length === PAGE ? await page('txlist', 2) : [];
  const calls = [...newest, ...older].filter(({ isError }) => isError !== '1');
  const movements = [...calls.map(toCall), ...tokens.map(toTransfer)];
  return {
    movements: movements.sort((one, other) => one.time - other.time),
    truncated: older.length === PAGE || tokens.length === PAGE,
  };
}

/** The operator's address may bring a key and a chain of its own. */
function pageUrl(indexerUrl: string, action: string, address: string, page: number): string {
  const url = new URL(indexerUrl);
  const query = { module: 'account', action, address, page, offset: PAGE, sort: 'desc' };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  return url.href;
}

async function readPage(url: string, signal: AbortSignal): Promise<IndexerEntry[]> {
  const answer = Listing.safeParse(await askJson(url, lookUpLimits(signal)));
  // Refusals come with status 200 and a text in the place of the list.
  if (!answer.success) throw new NoAnswer('not what was asked for');
  return answer.data.result.slice(0, PAGE);
}

function toCall(entry: IndexerEntry): WalletMovement {
  const { gasPrice, gas, input = '' } = entry;
  return {
    ...toMovement(entry),
    token: null,
    gasPrice: gasPrice === undefined ? null : BigInt(gasPrice),
    gasLimit: gas === undefined ? null : Number(gas),
    selector: /^0x[0-9a-f]{8}/i.test(input) ? input.slice(0, 10).toLowerCase() : null,
  };
}

function toTransfer(entry: IndexerEntry): WalletMovement {
  const token = entry.contractAddress?.toLowerCase() ?? 'unknown';
  return { ...toMovement(entry), token, gasPrice: null, gasLimit: null, selector: null };
}

function toMovement(
  entry: IndexerEntry,
): Pick<WalletMovement, 'hash' | 'time' | 'block' | 'from' | 'to' | 'value'> {
  return {
    hash: entry.hash.toLowerCase(),
    time: Number(entry.timeStamp),
    block: Number(entry.blockNumber),
    from: entry.from.toLowerCase(),
    to: entry.to ? entry.to.toLowerCase() : null,
    value: BigInt(entry.value),
  };
}
