import { Session } from 'node:inspector/promises';

/**
 * Collects this thread's garbage once. V8 keeps the garbage of loading as long as it has room, which is as much memory again
 * as the index. Blocks the thread for some tenths of a second.
 */
export async function giveBackMemory(): Promise<void> {
  const session = new Session();
  try {
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
  } catch {
    // The thread works without the collection too, with more memory.
  } finally {
    session.disconnect();
  }
}
