import { z } from 'zod';
import { askNode, jsonOf, NoAnswer, type NodeLimits } from './ask-node.ts';

/** Calls a method of a node and gives its result, which is whatever the node says. Throws NoAnswer. */
export type EvmRpc = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** The node answered with an error of JSON-RPC, such as that of a call that reverts. */
export class RpcError extends NoAnswer {
  override name = 'RpcError';
  readonly code: number;
  /** The node's own words, which may quote what was sent: to be judged, never logged. */
  readonly nodeMessage: string;

  constructor(code: number, nodeMessage: string) {
    super('the node has answered with an error');
    this.code = code;
    this.nodeMessage = nodeMessage;
  }
}

const RpcResponse = z.union([
  z.object({ error: z.object({ code: z.number(), message: z.string() }) }),
  z.object({ result: z.unknown() }).refine((response) => response.result !== undefined),
]);

/** JSON-RPC 2.0 over HTTP with one EVM node. Nodes answer errors with status 200 and with others. */
export function evmRpc(address: string, limits: NodeLimits): EvmRpc {
  return async (method, params) => {
    const { status, body } = await askNode(address, limits, { jsonrpc: '2.0', id: 1, method, params });
    const response = RpcResponse.safeParse(jsonOf(body)).data;
    if (response && 'error' in response) throw new RpcError(response.error.code, response.error.message);
    if (status < 200 || status > 299) throw new NoAnswer(`status ${status}`, status);
    if (!response) throw new NoAnswer('not what was asked for');
    return response.result;
  };
}
