import { z } from 'zod';
import { lookUpLimits, NoAnswer } from '../chains/ask-node.ts';
import { askBitcoind } from '../chains/bitcoind-rpc.ts';
import type { ConfiguredChain } from '../chains/chains-file.ts';
import { esplora } from '../chains/esplora.ts';
import { noChainSource, type ChainView, type TransferReceiver } from '../domain/aml/chain-view.ts';
import { fromUnits } from '../domain/verifications/satoshi/amount.ts';
import { parseAnswer } from './parse-answer.ts';
import { viewChain } from './view-chain.ts';

const SATOSHI_DIGITS = 8;
const SATOSHI = 10 ** SATOSHI_DIGITS;
const MOST_RECEIVERS = 1_000;

/** The addresses that a transaction spends from and pays to; null where a script has none. */
interface UtxoSides {
  payers: (string | null)[];
  paid: { address: string | null; satoshi: bigint }[];
}

/**
 * Reads the receivers of a transaction from the node of a Bitcoin chain, an Esplora or Bitcoin Core, and where it gives no
 * answer from the Esplora of its indexer.
 */
export async function findUtxoReceivers(
  chain: ConfiguredChain,
  txHash: string,
): Promise<ChainView<TransferReceiver>> {
  const fromEsplora = async (url: string, signal: AbortSignal) =>
    receiversOf(chain, await askEsplora(url, txHash, signal));
  const fromCore = async (url: string, signal: AbortSignal) => {
    const sides = await askCore(url, txHash, signal);
    return sides && receiversOf(chain, sides);
  };
  const { esploraUrl, bitcoindUrl, indexerUrl } = chain;
  const nodes = esploraUrl.length > 0 ? esploraUrl : bitcoindUrl;
  const ask = esploraUrl.length > 0 ? fromEsplora : fromCore;
  const viewed =
    nodes.length > 0 ? await viewChain('CHAIN_NODE', nodes, ask) : noChainSource<TransferReceiver>();
  const isAnswered = viewed.supported && viewed.reason !== 'SOURCE_UNAVAILABLE';
  return isAnswered || indexerUrl === undefined
    ? viewed
    : await viewChain('INDEXER', [indexerUrl], fromEsplora);
}

/** Leaves out change: outputs to an address that also pays. */
function receiversOf({ nativeAsset }: ConfiguredChain, { payers, paid }: UtxoSides): TransferReceiver[] {
  const paying = new Set(payers);
  return paid
    .slice(0, MOST_RECEIVERS)
    .flatMap(({ address, satoshi }) =>
      address === null || paying.has(address)
        ? []
        : [{ address, amount: fromUnits(satoshi, SATOSHI_DIGITS), asset: nativeAsset }],
    );
}

const EsploraOutput = z.object({
  scriptpubkey_address: z.string().max(128).optional(),
  value: z.int().min(0),
});
const EsploraTransaction = z.object({
  vin: z.array(z.object({ prevout: EsploraOutput.nullish() })),
  vout: z.array(EsploraOutput),
});

async function askEsplora(url: string, txHash: string, signal: AbortSignal): Promise<UtxoSides> {
  const answer = await esplora(url, lookUpLimits(signal)).getJson(`/tx/${txHash}`);
  const { vin, vout } = parseAnswer(EsploraTransaction, answer);
  return {
    payers: vin.map(({ prevout }) => prevout?.scriptpubkey_address ?? null),
    paid: vout.map((output) => ({
      address: output.scriptpubkey_address ?? null,
      satoshi: BigInt(output.value),
    })),
  };
}

const CoreScript = z.object({ address: z.string().max(128).optional() });
const CoreTransaction = z.object({
  vin: z.array(
    z.object({ coinbase: z.string().optional(), prevout: z.object({ scriptPubKey: CoreScript }).optional() }),
  ),
  // In bitcoins, with eight digits after the point: a double holds them exactly up to 90 million.
  vout: z.array(z.object({ value: z.number().min(0).max(90_000_000), scriptPubKey: CoreScript })),
});

const NOT_FOUND = -5;

/**
 * Undefined for a transaction that is neither in a block nor in the mempool. Throws NoAnswer without an index of
 * transactions (`txindex=1`), since any may then exist, and while what is spent is not known: before it is in a block.
 */
async function askCore(url: string, txHash: string, signal: AbortSignal): Promise<UtxoSides | undefined> {
  const call = { method: 'getrawtransaction', params: [txHash, 2] };
  const { result, error } = await askBitcoind(url, lookUpLimits(signal), call);
  // Without an index, or before it is ready, the words are "No such mempool transaction."
  if (error?.code === NOT_FOUND && /mempool or blockchain/i.test(String(error.message))) return undefined;
  if (error) throw new NoAnswer('the node has answered with an error');
  const { vin, vout } = parseAnswer(CoreTransaction, result);
  return {
    payers: vin.map(({ coinbase, prevout }) => {
      if (coinbase !== undefined) return null;
      if (!prevout) throw new NoAnswer('the node does not tell what the inputs spend');
      return prevout.scriptPubKey.address ?? null;
    }),
    paid: vout.map(({ value, scriptPubKey }) => ({
      address: scriptPubKey.address ?? null,
      satoshi: BigInt(Math.round(value * SATOSHI)),
    })),
  };
}
