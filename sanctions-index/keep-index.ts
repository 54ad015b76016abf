import type { Logger } from 'pino';
import type { Queryable } from '../db/postgres.ts';
import { readActiveVersions, type ActiveVersion } from '../db/sanctions-lists/read-versions.ts';
import { DomainError } from '../domain/errors.ts';
import type { ListState, UsedList } from '../domain/sanctions-screening/list-state.ts';
import { openIndex, type OpenIndex } from './open-index.ts';

interface KeepOptions {
  pool: Queryable;
  databaseUrl: string;
  log: Logger;
  lookEveryMs: number;
}

export interface KeptIndex {
  /** Undefined while none is loaded. */
  current: () => OpenIndex | undefined;
  /** Every active list, as of the last look. Throws temporarily_unavailable when there is none. */
  activeLists: () => Promise<readonly ListState[]>;
  close: () => Promise<void>;
}

const MAX_PAUSE_MS = 60_000;

/**
 * Holds the index of the active versions. When they change another one is loaded beside it; then one reference is
 * swapped, and the old one ends after its last answer. Lists that change together are one load.
 */
export function keepIndex(options: KeepOptions): KeptIndex {
  const keeper = new IndexKeeper(options);
  keeper.start();
  return {
    current: () => keeper.current,
    activeLists: async () => await keeper.activeLists(),
    close: async () => await keeper.close(),
  };
}

class IndexKeeper {
  current: OpenIndex | undefined;
  readonly #options: KeepOptions;
  readonly #stop = new AbortController();
  #states: readonly ActiveVersion[] = [];
  #looking: Promise<void> | undefined;
  #loading: Promise<void> | undefined;
  #failures = 0;
  #notBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeepOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#round();
  }

  async activeLists(): Promise<readonly ListState[]> {
    // A first list may have become active since the last look, and since one that is under way began.
    if (this.#states.length === 0) await this.#looking?.catch(() => undefined);
    if (this.#states.length === 0) await this.#look();
    if (this.#states.length === 0) throw noList();
    return this.#states;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#looking?.catch(() => undefined);
    await this.#loading;
    await this.current?.retire();
  }

  /** One look after the other, until it is closed. */
  async #round(): Promise<void> {
    try {
      await this.#look();
      this.#loadIfOther();
    } catch (error) {
      this.#options.log.warn({ error }, 'the active sanctions lists could not be read');
    }
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#round(), this.#options.lookEveryMs);
    this.#timer.unref();
  }

  /** Those who come during a look share it. */
  async #look(): Promise<void> {
    this.#looking ??= readActiveVersions(this.#options.pool)
      .then((states) => {
        this.#states = states;
      })
      .finally(() => {
        this.#looking = undefined;
      });
    await this.#looking;
  }

  #loadIfOther(): void {
    if (this.#states.length === 0 || keyOf(this.#states) === keyOf(this.current?.lists ?? [])) return;
    if (this.#loading || this.#stop.signal.aborted || Date.now() < this.#notBefore) return;
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
    });
  }

  async #load(): Promise<void> {
    const { databaseUrl, log, lookEveryMs } = this.#options;
    const startedAt = Date.now();
    try {
      const next = await openIndex(databaseUrl, this.#stop.signal);
      this.#swap(next);
      this.#failures = 0;
      log.info(
        { lists: next.lists, durationMs: Date.now() - startedAt },
        'the sanctions lists are in memory',
      );
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#notBefore = Date.now() + Math.min(lookEveryMs * 2 ** this.#failures, MAX_PAUSE_MS);
      this.#failures += 1;
      log.error({ error }, 'the sanctions lists could not be loaded; the database answers meanwhile');
    }
  }

  #swap(next: OpenIndex): void {
    const before = this.current;
    this.current = next;
    void next.ended.then(() => this.#forget(next));
    void before?.retire();
  }

  /** A thread that ended while it was in use has died; the next one is loaded at once. */
  #forget(gone: OpenIndex): void {
    if (this.current !== gone) return;
    this.current = undefined;
    if (this.#stop.signal.aborted) return;
    this.#options.log.error('the thread with the sanctions lists has ended; the database answers meanwhile');
    void this.#round();
  }
}

function keyOf(lists: readonly UsedList[]): string {
  return lists.map(({ code, version }) => `${code}:${version}`).join();
}

function noList(): DomainError {
  return new DomainError(
    'temporarily_unavailable',
    'No sanctions list is active, so nobody can be screened. An operator imports one: POST /operator/lists/{code}/versions.',
    { retryAfterSeconds: 60 },
  );
}
