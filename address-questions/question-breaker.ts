import { LRUCache } from 'lru-cache';
import type { AskedTenant } from '../db/lifecycle/find-asked.ts';

/** Questions in a row without an answer in time, after which a tenant is not asked for a while. */
const TIMEOUTS = 3;
const PAUSE_MS = 10 * 60_000;
const MAX_TENANTS = 10_000;

interface Silence {
  timeouts: number;
  /** Milliseconds since 1970. */
  lastAt: number;
}

type Server = Pick<AskedTenant, 'id' | 'url'>;

/** Servers of tenants that let questions time out. */
interface QuestionBreaker {
  isPaused: (server: Server, now: Date) => boolean;
  note: (server: Server, isTimeout: boolean, now: Date) => void;
}

/** A tenant that gives another URL is asked there at once. */
const keyOf = ({ id, url }: Server) => `${id} ${url}`;

/**
 * Remembers in the memory of the process which servers hang: who asks one waits in a place that messages of all tenants need. After a
 * pause one more timeout begins the next.
 */
export function createQuestionBreaker(): QuestionBreaker {
  const silent = new LRUCache<string, Silence>({ max: MAX_TENANTS });
  return {
    isPaused(server, now) {
      const silence = silent.get(keyOf(server));
      return silence !== undefined && silence.timeouts >= TIMEOUTS && +now - silence.lastAt < PAUSE_MS;
    },
    note(server, isTimeout, now) {
      const key = keyOf(server);
      if (isTimeout) silent.set(key, { timeouts: (silent.get(key)?.timeouts ?? 0) + 1, lastAt: +now });
      else silent.delete(key);
    },
  };
}
