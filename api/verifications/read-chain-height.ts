import type { Logger } from 'pino';
import { openNode } from '../../chains/open-node.ts';
import type { ScanChain } from '../../domain/chain-scan/scan-chain.ts';

/** How long a request waits for a node. */
const LIMIT_MS = 2_000;

/** The height of a chain now. Null when no node tells it in time: the scanner then finds out when it looks next. */
export async function readChainHeight(chain: ScanChain, log: Logger): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LIMIT_MS);
  });
  try {
    return await Promise.race([heightOf(chain), late]);
  } catch (error) {
    log.warn({ chain: chain.name, err: error }, 'no node tells the height of the chain');
    return null;
  } finally {
    clearTimeout(timer);
  }
}

async function heightOf(chain: ScanChain): Promise<number> {
  return (await openNode(chain).tip()).height;
}
