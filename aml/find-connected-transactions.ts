import type { ConfiguredChain } from '../chains/chains-file.ts';
import { readEvmHistory } from '../chains/evm-indexer.ts';
import { readUtxoHistory } from '../chains/utxo-history.ts';
import { noChainSource, type ChainView, type ConnectedTransaction } from '../domain/aml/chain-view.ts';
import type {
  WalletMovement,
  TransactionOutput,
  UtxoTransaction,
} from '../domain/wallet-intelligence/activity.ts';
import { fromUnits } from '../domain/verifications/satoshi/amount.ts';
import { viewChain } from './view-chain.ts';

/** Reads the newest transactions of a wallet, newest first, from the chain's Esplora or indexer. */
export async function findConnectedTransactions(
  chains: readonly ConfiguredChain[],
  blockchain: string,
  address: string,
): Promise<ChainView<ConnectedTransaction>> {
  const chain = chains.find(({ name }) => name === blockchain);
  if (chain?.kind === 'BITCOIN') return await findUtxoTransactions(chain, address);
  if (chain && chain.kind === 'EVM' && chain.indexerUrl !== undefined) {
    return await viewChain('INDEXER', [chain.indexerUrl], async (url, signal) => {
      const { movements } = await readEvmHistory(url, address, signal);
      return movements.map((movement) => ofEvm(chain, movement, address)).reverse();
    });
  }
  return noChainSource();
}

/** Bitcoin Core has no index of addresses: without an Esplora only the indexer, which is one, knows their transactions. */
async function findUtxoTransactions(
  chain: ConfiguredChain,
  address: string,
): Promise<ChainView<ConnectedTransaction>> {
  const { esploraUrl, indexerUrl } = chain;
  const fromEsplora = async (url: string, signal: AbortSignal) => {
    const { transactions } = await readUtxoHistory(url, address, signal);
    return transactions.map((transaction) => ofUtxo(chain, transaction, address)).reverse();
  };
  if (esploraUrl.length > 0) return await viewChain('CHAIN_NODE', esploraUrl, fromEsplora);
  return indexerUrl === undefined ? noChainSource() : await viewChain('INDEXER', [indexerUrl], fromEsplora);
}

function ofUtxo(
  { nativeAsset, decimals }: ConfiguredChain,
  { id, time, inputs, outputs }: UtxoTransaction,
  address: string,
): ConnectedTransaction {
  const net = sumAt(outputs, address) - sumAt(inputs, address);
  const others = net >= 0n ? inputs : outputs;
  return {
    hash: id,
    timestamp: timestampOf(time),
    direction: net >= 0n ? 'incoming' : 'outgoing',
    amount: fromUnits(net >= 0n ? net : -net, decimals),
    asset: nativeAsset,
    counterparty: onlyOne(
      others.flatMap((output) => output.address ?? []).filter((other) => other !== address),
    ),
  };
}

function sumAt(outputs: readonly TransactionOutput[], address: string): bigint {
  return outputs.reduce((sum, output) => (output.address === address ? sum + BigInt(output.value) : sum), 0n);
}

function ofEvm(chain: ConfiguredChain, movement: WalletMovement, address: string): ConnectedTransaction {
  const { hash, time, from, to, value, token } = movement;
  const known = chain.tokens.find((one) => one.address.toLowerCase() === token);
  const decimals = token === null ? chain.decimals : known?.decimals;
  const isOutgoing = from === address;
  return {
    hash,
    timestamp: timestampOf(time),
    direction: isOutgoing ? 'outgoing' : 'incoming',
    amount: decimals === undefined ? null : fromUnits(value, decimals),
    asset: token === null ? chain.nativeAsset : (known?.asset ?? token),
    counterparty: isOutgoing ? to : from,
  };
}

function timestampOf(seconds: number | null): string | null {
  const date = new Date((seconds ?? NaN) * 1_000);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function onlyOne(addresses: readonly string[]): string | null {
  const different = new Set(addresses);
  return different.size === 1 ? (addresses[0] ?? null) : null;
}
