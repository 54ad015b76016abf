import { z } from 'zod';
import type { EvmState } from '../domain/wallet-intelligence/activity.ts';
import { contractKind } from '../domain/wallet-intelligence/contract-code.ts';
import { firstAnswer, lookUpLimits, NoAnswer } from './ask-node.ts';
import type { ConfiguredChain } from './chains-file.ts';
import { evmRpc } from './evm-rpc.ts';

type NodeChain = Pick<ConfiguredChain, 'rpcUrl' | 'evmChainId' | 'agentRegistry'>;
type AskHex = (method: string, params: readonly unknown[]) => Promise<string>;

const Hex = z.string().regex(/^0x[0-9a-f]*$/i);
const NO_CODE = '0x';
/** balanceOf(address): the registry of agents is an ERC-721. */
const BALANCE_OF = '0x70a08231';

/** What stands at an address, by the first node that answers. Throws NoAnswer. */
export async function readEvmState(
  chain: NodeChain,
  address: string,
  signal: AbortSignal,
): Promise<EvmState> {
  const nodes = chain.rpcUrl.map((url) => hexRpc(url, signal));
  return await firstAnswer(nodes, async (ask) => await readFrom(ask, chain, address));
}

async function readFrom(
  ask: AskHex,
  { evmChainId, agentRegistry }: NodeChain,
  address: string,
): Promise<EvmState> {
  const [chainId, code, nonce, balance, agents] = await Promise.all([
    ask('eth_chainId', []),
    ask('eth_getCode', [address, 'latest']),
    ask('eth_getTransactionCount', [address, 'latest']),
    ask('eth_getBalance', [address, 'latest']),
    agentRegistry === undefined ? null : ask('eth_call', [agentCall(agentRegistry, address), 'latest']),
  ]);
  if (Number(chainId) !== evmChainId) throw new NoAnswer('a node of another chain');
  const { kind, target } = contractKind(code.toLowerCase());
  const isProxy = kind === 'MINIMAL_PROXY' && target !== null;
  const implementationCode = isProxy ? await ask('eth_getCode', [target, 'latest']) : null;
  return {
    code: code.toLowerCase(),
    nonce: Number(nonce),
    balance: BigInt(balance),
    implementationCode: implementationCode?.toLowerCase() ?? null,
    // A registry that is not there answers nothing at all.
    isRegisteredAgent: agents === null || agents === NO_CODE ? null : BigInt(agents) > 0n,
  };
}

function agentCall(registry: string, address: string): { to: string; data: string } {
  return { to: registry, data: BALANCE_OF + address.slice(2).toLowerCase().padStart(64, '0') };
}

function hexRpc(url: string, signal: AbortSignal): AskHex {
  const ask = evmRpc(url, lookUpLimits(signal));
  return async (method, params) => {
    const result = Hex.safeParse(await ask(method, params));
    if (!result.success) throw new NoAnswer('not what was asked for');
    return result.data;
  };
}
