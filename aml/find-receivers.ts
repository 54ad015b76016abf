import { z } from 'zod';
import { lookUpLimits } from '../chains/ask-node.ts';
import type { ConfiguredChain } from '../chains/chains-file.ts';
import { evmRpc } from '../chains/evm-rpc.ts';
import { noChainSource, type ChainView, type TransferReceiver } from '../domain/aml/chain-view.ts';
import { fromUnits } from '../domain/verifications/satoshi/amount.ts';
import { findUtxoReceivers } from './find-utxo-receivers.ts';
import { parseAnswer } from './parse-answer.ts';
import { viewChain } from './view-chain.ts';

const MOST_RECEIVERS = 1_000;
/** Transfer(address,address,uint256) */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const Quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
const Address = z.string().regex(/^0x[0-9a-f]{40}$/i);
const EvmTransaction = z.object({ to: Address.nullish(), value: Quantity }).nullable();
const Log = z.object({ address: Address, topics: z.array(z.string()), data: z.string() });
const EvmReceipt = z.object({ logs: z.array(Log) }).nullable();

/** Reads the receivers of a transaction from the chain's own node, or for Bitcoin from its indexer. */
export async function findReceivers(
  chains: readonly ConfiguredChain[],
  blockchain: string,
  txHash: string,
): Promise<ChainView<TransferReceiver>> {
  const chain = chains.find(({ name }) => name === blockchain);
  if (chain?.kind === 'BITCOIN') return await findUtxoReceivers(chain, txHash);
  if (chain && chain.kind === 'EVM' && chain.rpcUrl.length > 0) {
    return await viewChain('CHAIN_NODE', chain.rpcUrl, async (url, signal) => {
      const ask = evmRpc(url, lookUpLimits(signal));
      const [transaction, receipt] = await Promise.all([
        ask('eth_getTransactionByHash', [txHash]),
        ask('eth_getTransactionReceipt', [txHash]),
      ]);
      return readEvm(chain, transaction, receipt);
    });
  }
  return noChainSource();
}

function readEvm(
  chain: ConfiguredChain,
  transaction: unknown,
  receipt: unknown,
): TransferReceiver[] | undefined {
  const found = parseAnswer(EvmTransaction, transaction);
  if (!found) return undefined;
  const value = BigInt(found.value);
  const native =
    found.to && value > 0n
      ? [
          {
            address: found.to.toLowerCase(),
            amount: fromUnits(value, chain.decimals),
            asset: chain.nativeAsset,
          },
        ]
      : [];
  const logs = parseAnswer(EvmReceipt, receipt)?.logs ?? [];
  return [...native, ...logs.flatMap((log) => toTokenReceiver(chain, log))].slice(0, MOST_RECEIVERS);
}

/** An unknown token is named by its contract address and has no amount, since its decimals are unknown. */
function toTokenReceiver({ tokens }: ConfiguredChain, log: z.infer<typeof Log>): TransferReceiver[] {
  const [kind, , to] = log.topics;
  if (kind !== TRANSFER || log.topics.length !== 3 || !to || !/^0x0{24}[0-9a-f]{40}$/i.test(to)) return [];
  if (!/^0x[0-9a-f]{64}$/i.test(log.data)) return [];
  const contract = log.address.toLowerCase();
  const token = tokens.find(({ address }) => address.toLowerCase() === contract);
  const amount = token ? fromUnits(BigInt(log.data), token.decimals) : null;
  return [{ address: `0x${to.slice(-40).toLowerCase()}`, amount, asset: token?.asset ?? contract }];
}
