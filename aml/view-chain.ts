import type { ChainView } from '../domain/aml/chain-view.ts';
import { NoAnswer } from '../chains/ask-node.ts';

const LIMIT_MS = 8_000;

/** Reads from the first source that answers. Failures of the sources become a `reason`, never an error. */
export async function viewChain<T>(
  source: 'CHAIN_NODE' | 'INDEXER',
  urls: readonly string[],
  ask: (url: string, signal: AbortSignal) => Promise<T[] | undefined>,
): Promise<ChainView<T>> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  for (const url of urls) {
    try {
      const items = await ask(url, signal);
      return { supported: true, source, reason: items ? null : 'NOT_FOUND', items: items ?? [] };
    } catch (error) {
      if (!(error instanceof NoAnswer)) throw error;
      // Esplora answers 404 for an unknown transaction or address.
      if (error.status === 404) return { supported: true, source, reason: 'NOT_FOUND', items: [] };
    }
  }
  return { supported: true, source, reason: 'SOURCE_UNAVAILABLE', items: [] };
}
