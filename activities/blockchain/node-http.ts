import { NODE_TIMEOUT_MS } from './chain-node.ts';

/** A raw Bitcoin block has at most 4 MB, twice that in hex; everything else is small. */
const MAX_BYTES = 12 << 20;

export interface NodeAnswer {
  status: number;
  body: Buffer;
}

/** Asks one address after the other, in the order of the configuration, until one has an answer. */
export async function firstAnswer<T>(urls: readonly string[], ask: (url: string) => Promise<T>): Promise<T> {
  let trouble: unknown = new Error('no node is configured');
  for (const url of urls) {
    try {
      return await ask(url);
    } catch (error) {
      trouble = error;
    }
  }
  throw trouble;
}

/** One request with a deadline; of the answer no more than a block's size is read. */
export async function requestNode(url: string, init: RequestInit = {}): Promise<NodeAnswer> {
  const answer = await fetch(url, {
    ...init,
    signal: AbortSignal.timeout(NODE_TIMEOUT_MS),
    redirect: 'error',
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the node has answered too much');
    chunks.push(chunk);
  }
  return { status: answer.status, body: Buffer.concat(chunks) };
}
