import { Session } from 'node:inspector/promises';

/**
 * Gives back what this thread no longer needs, once: V8 by itself keeps what loading has left behind for as long as it
 * has room, which is as much again as the index. Costs the thread some tenths of a second.
 */
export async function giveBackMemory(): Promise<void> {
  const session = new Session();
  try {
    session.connect();
    await session.post('HeapProfiler.collectGarbage');
  } catch {
    // It works as well without; only larger.
  } finally {
    session.disconnect();
  }
}
