import { z } from 'zod';
import type {
  TransactionOutput as UtxoPlace,
  UtxoHistory,
  UtxoTransaction,
} from '../domain/wallet-intelligence/activity.ts';
import { sharedSpellings } from '../domain/addresses/shared-hashes.ts';
import { lookUpLimits, NoAnswer } from './ask-node.ts';
import { esplora, type Esplora } from './esplora.ts';

const MAX_PAGES = 3;
const MAX_TRANSACTIONS = 200;
/** Esplora tells confirmed transactions in pages of this size. */
const PAGE = 25;

const Place = z.object({
  scriptpubkey_address: z.string().max(128).optional(),
  scriptpubkey_type: z.string().max(32),
  value: z.number().min(0),
});
const EsploraTransaction = z.object({
  txid: z.string().regex(/^[0-9a-f]{64}$/),
  fee: z.number().min(0),
  weight: z.number().min(1),
  vin: z.array(z.object({ prevout: Place.nullable() })),
  vout: z.array(Place),
  status: z.object({
    confirmed: z.boolean(),
    block_height: z.int().optional(),
    // A year of five digits is no time of a block.
    block_time: z.int().min(0).max(253_402_300_799).optional(),
  }),
});
type EsploraTransaction = z.infer<typeof EsploraTransaction>;
const Page = z.array(EsploraTransaction);

/**
 * The newest transactions of an address by Esplora (github.com/Blockstream/esplora, API.md), with its account spelled as
 * the address, whichever spelling of Bitcoin Cash or Litecoin the explorer writes. Throws NoAnswer.
 */
export async function readUtxoHistory(
  baseUrl: string,
  address: string,
  signal: AbortSignal,
): Promise<UtxoHistory> {
  const source = esplora(baseUrl, lookUpLimits(signal));
  const start = `/address/${encodeURIComponent(address)}/txs`;
  const found = new Map<string, EsploraTransaction>();
  let truncated = false;
  for (let page = 0, path = start; page < MAX_PAGES; page += 1) {
    const transactions = await readPage(source, path);
    for (const transaction of transactions) found.set(transaction.txid, transaction);
    const confirmed = transactions.filter(({ status }) => status.confirmed);
    truncated = confirmed.length >= PAGE;
    const last = confirmed.at(-1);
    if (!truncated || !last) break;
    path = `${start}/chain/${last.txid}`;
  }
  const all = [...found.values()].slice(0, MAX_TRANSACTIONS).map(transactionReader(address));
  return { transactions: all.reverse(), truncated };
}

async function readPage(source: Esplora, path: string): Promise<EsploraTransaction[]> {
  const answer = Page.safeParse(await source.getJson(path));
  if (!answer.success) throw new NoAnswer('not what was asked for');
  return answer.data;
}

function transactionReader(address: string): (transaction: EsploraTransaction) => UtxoTransaction {
  const own = new Set(sharedSpellings(address).flatMap((text) => [text, text.replace(/^[a-z]+:/, '')]));
  const toPlace = (place: z.infer<typeof Place>): UtxoPlace => {
    const { scriptpubkey_address: given = null, scriptpubkey_type: type, value } = place;
    return { address: given !== null && own.has(given) ? address : given, type, value };
  };
  return ({ txid, fee, weight, vin, vout, status }) => ({
    id: txid,
    time: status.block_time ?? null,
    block: status.block_height ?? null,
    feeRate: (fee * 4) / weight,
    inputs: vin.flatMap(({ prevout }) => (prevout ? toPlace(prevout) : [])),
    outputs: vout.map(toPlace),
  });
}
