import { erc6492SignatureValidatorAbi, erc6492SignatureValidatorByteCode, type Hex } from 'viem';
import { encodeDeployData, hashMessage, isErc6492Signature, keccak256 } from 'viem/utils';
import { z } from 'zod';
import type { Blockchain } from '../domain/blockchains.ts';
import { DomainError } from '../domain/errors.ts';
import type { ContractCheck } from '../domain/verifications/contract-check.ts';
import { lookUpLimits, NoAnswer } from './ask-node.ts';
import { evmRpc, RpcError, type EvmRpc } from './evm-rpc.ts';

interface ContractQuestion {
  chain: Pick<Blockchain, 'name' | 'evmChainId'> & { readonly rpcUrl: readonly string[] };
  /** In any spelling. */
  address: string;
  /** The text itself; it is hashed here and nowhere else, so that no hash of a caller is ever asked about. */
  message: string;
  signature: Hex;
}

/** For all node addresses together. */
const LIMIT_MS = 5_000;

const HexBytes = z.string().regex(/^0x([0-9a-f]{2})*$/i) as unknown as z.ZodType<Hex>;
const Block = z.object({
  number: z.string().regex(/^0x[0-9a-f]{1,16}$/i),
  hash: z.string().regex(/^0x[0-9a-f]{64}$/i),
});

/**
 * Whether the contract wallet at the address takes the signature for its own (ERC-1271), or would once it is deployed
 * (ERC-6492), at the newest block of the chain; null when it does not. Throws temporarily_unavailable when no node
 * answers within 5 s: then nothing is known of the signature.
 */
export async function askContract(question: ContractQuestion): Promise<ContractCheck | null> {
  const deadline = Date.now() + LIMIT_MS;
  const urls = question.chain.rpcUrl;
  for (const [index, url] of urls.entries()) {
    try {
      return await askOne(url, question, (deadline - Date.now()) / (urls.length - index));
    } catch {
      // The error may hold the signature, which must not get anywhere; the next node may do better.
    }
  }
  throw new DomainError(
    'temporarily_unavailable',
    'The signature of a contract wallet cannot be checked just now: no node of its blockchain answers. It was not counted as a wrong proof.',
    { retryAfterSeconds: 5 },
  );
}

async function askOne(
  url: string,
  { chain, address, message, signature }: ContractQuestion,
  limitMs: number,
): Promise<ContractCheck | null> {
  const ask = evmRpc(url, lookUpLimits(AbortSignal.timeout(Math.max(1, Math.floor(limitMs)))));
  const [chainId, newest] = await Promise.all([
    ask('eth_chainId', []),
    ask('eth_getBlockByNumber', ['latest', false]),
  ]);
  if (Number(chainId) !== chain.evmChainId) throw new NoAnswer('a node of another chain');
  const block = Block.parse(newest);
  // By hash, so that code and answer cannot come from two forks.
  const at = { blockHash: block.hash };
  const [found, isValid] = await Promise.all([
    ask('eth_getCode', [address, at]),
    validates(ask, callData(address as Hex, message, signature), at),
  ]);
  const code = HexBytes.parse(found);
  const isCounterfactual = isErc6492Signature(signature);
  if (!isValid || (code === '0x' && !isCounterfactual)) return null;
  return {
    standard: isCounterfactual ? 'ERC6492' : 'ERC1271',
    blockchain: chain.name,
    blockNumber: BigInt(block.number).toString(),
    blockHash: block.hash,
    codeHash: code === '0x' ? null : keccak256(code),
  };
}

/** A contract that is made for the length of this question only, and asks the wallet. */
function callData(address: Hex, message: string, signature: Hex): Hex {
  return encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [address, hashMessage(message), signature],
    bytecode: erc6492SignatureValidatorByteCode,
  });
}

/** What reverts is not valid; every other trouble is that of the node and is thrown. */
async function validates(ask: EvmRpc, data: Hex, at: { blockHash: string }): Promise<boolean> {
  try {
    return /^0x0*1$/.test(String(await ask('eth_call', [{ data }, at])));
  } catch (error) {
    if (isRevert(error)) return false;
    throw error;
  }
}

const EXECUTION_REVERTED = 3;
const REFUSALS = /revert|invalid opcode|out of gas|stack (?:over|under)flow|invalid jump|bad instruction/i;

function isRevert(error: unknown): boolean {
  if (!(error instanceof RpcError)) return false;
  return error.code === EXECUTION_REVERTED || REFUSALS.test(error.nodeMessage);
}
