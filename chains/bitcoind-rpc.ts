import { askNode, jsonOf, NoAnswer, type NodeLimits } from './ask-node.ts';

/** What Bitcoin Core answers to a call: its result, or why there is none. */
export interface CoreAnswer {
  result?: unknown;
  error?: { code: number; message?: unknown } | null;
}

/**
 * One call of the JSON-RPC of Bitcoin Core (bitcoincore.org, RPC of 26.0 and later). Errors come with status 500 from
 * older nodes and with 200 from newer ones. Throws NoAnswer when the answer is neither a result nor an error.
 */
export async function askBitcoind(
  address: string,
  limits: NodeLimits,
  { method, params }: { method: string; params: readonly unknown[] },
): Promise<CoreAnswer> {
  const { status, body } = await askNode(address, limits, { jsonrpc: '1.0', id: 1, method, params });
  if (status !== 200 && status !== 500) throw new NoAnswer('the node has refused the call', status);
  const answer = jsonOf(body);
  if (typeof answer !== 'object' || answer === null)
    throw new NoAnswer('the node has answered with an error');
  return answer;
}
