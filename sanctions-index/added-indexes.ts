import { LRUCache } from 'lru-cache';
import type { AddedEntries } from './index-thread.ts';
import { openIndex, type OpenIndex } from './open-index.ts';

/** The indexes of what new versions of lists added. */
export interface AddedIndexes {
  /** The index of a version's added entries; it is loaded once and kept while it is used. */
  of: (added: AddedEntries) => Promise<OpenIndex>;
  /** Ends the index of a version that needs to be compared no more. */
  release: (added: AddedEntries) => void;
}

/** Lists are seldom published at one moment. */
const MAX_OPEN = 4;
/** Another worker may go on with a version: then nobody releases its index here. */
const UNUSED_MS = 60_000;

/**
 * Keeps each index in a thread of its own: building it and searching in it takes up to seconds, in which the worker's own
 * thread goes on with other activities.
 */
export function openAddedIndexes(databaseUrl: string): AddedIndexes {
  const kept = new LRUCache<string, Promise<OpenIndex>>({
    max: MAX_OPEN,
    ttl: UNUSED_MS,
    ttlAutopurge: true,
    updateAgeOnGet: true,
    dispose: (opening) => void opening.then(async (index) => await index.retire()).catch(() => undefined),
  });
  const open = (name: string, added: AddedEntries) => {
    const opening = openIndex({ databaseUrl, added });
    kept.set(name, opening);
    const forget = () => void (kept.peek(name) === opening && kept.delete(name));
    opening.then(async (index) => await index.ended, forget).then(forget, forget);
    return opening;
  };
  return {
    of: async (added) => await (kept.get(nameOf(added)) ?? open(nameOf(added), added)),
    release: (added) => void kept.delete(nameOf(added)),
  };
}

const nameOf = ({ code, version, limit }: AddedEntries) => `${code} ${version} ${limit}`;
