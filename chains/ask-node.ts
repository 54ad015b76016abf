import { createHttpClient } from '../outside/http.ts';
import { HttpFault } from '../outside/http-fault.ts';

/** Limits of one request to a node, an indexer or an Esplora. */
export interface NodeLimits {
  /** Milliseconds until the whole response has arrived. */
  deadlineMs: number;
  /** Maximum size of the response. */
  maxBodyBytes: number;
  /** Aborts the request before its deadline. */
  signal?: AbortSignal;
}

/**
 * For the scanner. A raw Bitcoin block has at most 4 MB, twice that in hex. The logs of an EVM block have some 700 bytes for
 * each 5,000 of its gas at most: 42 MB for 300 million. A block that is refused would stop the scan of its chain.
 */
export const SCAN_LIMITS: NodeLimits = { deadlineMs: 15_000, maxBodyBytes: 64 << 20 };

/** For questions about one wallet or one transaction, of which 100 are some hundred kB. The signal ends all of them. */
export function lookUpLimits(signal: AbortSignal): NodeLimits {
  return { deadlineMs: 10_000, maxBodyBytes: 4 << 20, signal };
}

/** Why a node, an indexer or an Esplora gave no usable answer. Never says its address, which may hold a secret. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
  /** The status of an HTTP response that is no success, else null. */
  readonly status: number | null;

  constructor(message: string, status: number | null = null) {
    super(message);
    this.status = status;
  }
}

const http = createHttpClient({ reach: 'ANYWHERE', limits: SCAN_LIMITS });

/**
 * One request: GET, or POST with a body of JSON. A user name and a password in the address are sent by HTTP basic
 * authentication. Throws NoAnswer without a response; a response of any status is one.
 */
export async function askNode(
  address: string,
  { deadlineMs, maxBodyBytes, signal }: NodeLimits,
  json?: unknown,
): Promise<{ status: number; body: Buffer }> {
  const url = new URL(address);
  try {
    return await http.send(url, {
      headers: { ...authorizationOf(url), ...(json !== undefined && { 'Content-Type': 'application/json' }) },
      ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
      acceptsGzip: true,
      signal,
      limits: { deadlineMs, maxBodyBytes },
    });
  } catch (error) {
    throw error instanceof HttpFault ? new NoAnswer(`no usable answer: ${error.code}`) : error;
  }
}

/** The JSON of a response with status 2xx to a GET. Throws NoAnswer for any other. */
export async function askJson(address: string, limits: NodeLimits): Promise<unknown> {
  const { status, body } = await askNode(address, limits);
  if (status < 200 || status > 299) throw new NoAnswer(`status ${status}`, status);
  const value = jsonOf(body);
  if (value === undefined) throw new NoAnswer('no JSON');
  return value;
}

/** Undefined where the text is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}

/** Asks one node after the other, in the order of the configuration, until one has an answer. Throws the last error. */
export async function firstAnswer<Node, T>(
  nodes: readonly Node[],
  ask: (node: Node) => Promise<T>,
): Promise<T> {
  let trouble: unknown = new NoAnswer('no node is configured');
  for (const node of nodes) {
    try {
      return await ask(node);
    } catch (error) {
      trouble = error;
    }
  }
  throw trouble;
}

function authorizationOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { Authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
}
