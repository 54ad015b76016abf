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
  pollMs: number;
}

export interface KeptIndex {
  /** Undefined while none is loaded. */
  current: () => OpenIndex | undefined;
  /** Every active list, as of the last read. Throws temporarily_unavailable when there is none. */
  activeLists: () => Promise<readonly ListState[]>;
  /** How long the index has lacked an active list or its version, in milliseconds; 0 while it has them all. */
  behindMs: () => number;
  close: () => Promise<void>;
}

const MAX_PAUSE_MS = 60_000;

/**
 * Holds the index of the active versions. When the versions change, a second index is loaded beside the first; then one
 * reference is swapped, and the old index ends after its last answer. Lists that change together are loaded once.
 */
export function keepIndex(options: KeepOptions): KeptIndex {
  const keeper = new IndexKeeper(options);
  keeper.start();
  return {
    current: () => keeper.current,
    activeLists: async () => await keeper.activeLists(),
    behindMs: () => keeper.behindMs(),
    close: async () => await keeper.close(),
  };
}

class IndexKeeper {
  current: OpenIndex | undefined;
  readonly #options: KeepOptions;
  readonly #stop = new AbortController();
  #states: readonly ActiveVersion[] = [];
  #reading: Promise<void> | undefined;
  #loading: Promise<void> | undefined;
  #failures = 0;
  #notBefore = 0;
  #behindSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: KeepOptions) {
    this.#options = options;
  }

  start(): void {
    void this.#round();
  }

  async activeLists(): Promise<readonly ListState[]> {
    // A first list may have become active after the last read, or after the start of a read that is still running.
    if (this.#states.length === 0) await this.#reading?.catch(() => undefined);
    if (this.#states.length === 0) await this.#readVersions();
    if (this.#states.length === 0) throw noList();
    if (!this.current) this.#loadIfChanged();
    return this.#states;
  }

  behindMs(): number {
    return this.#behindSince === undefined ? 0 : Date.now() - this.#behindSince;
  }

  async close(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#reading?.catch(() => undefined);
    await this.#loading;
    await this.current?.retire();
  }

  /** Reads the active versions at intervals until the keeper is closed. */
  async #round(): Promise<void> {
    try {
      await this.#readVersions();
      this.#loadIfChanged();
    } catch (error) {
      this.#options.log.warn({ error }, 'the active sanctions lists could not be read');
    }
    if (this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#round(), this.#options.pollMs);
    this.#timer.unref();
  }

  /** Reads the active versions; callers that come during a read share it. */
  async #readVersions(): Promise<void> {
    this.#reading ??= readActiveVersions(this.#options.pool)
      .then((states) => {
        this.#states = states;
        this.#noteWhetherBehind();
      })
      .finally(() => {
        this.#reading = undefined;
      });
    await this.#reading;
  }

  #loadIfChanged(): void {
    if (!this.#isBehind()) return;
    if (this.#loading || this.#stop.signal.aborted || Date.now() < this.#notBefore) return;
    this.#loading = this.#load().finally(() => {
      this.#loading = undefined;
    });
  }

  #isBehind(): boolean {
    return this.#states.length > 0 && keyOf(this.#states) !== keyOf(this.current?.lists ?? []);
  }

  #noteWhetherBehind(): void {
    this.#behindSince = this.#isBehind() ? (this.#behindSince ?? Date.now()) : undefined;
  }

  async #load(): Promise<void> {
    const { databaseUrl, log, pollMs } = this.#options;
    const startedAt = Date.now();
    try {
      const next = await openIndex({ databaseUrl }, this.#stop.signal);
      this.#swap(next);
      this.#failures = 0;
      log.info(
        { lists: next.lists, durationMs: Date.now() - startedAt },
        'the sanctions lists are in memory',
      );
    } catch (error) {
      if (this.#stop.signal.aborted) return;
      this.#notBefore = Date.now() + Math.min(pollMs * 2 ** this.#failures, MAX_PAUSE_MS);
      this.#failures += 1;
      log.error({ error }, 'the sanctions lists could not be loaded; transfers wait for them');
    }
  }

  #swap(next: OpenIndex): void {
    const before = this.current;
    this.current = next;
    this.#noteWhetherBehind();
    void next.ended.then(() => this.#forget(next));
    void before?.retire();
  }

  /** A thread that ended while it was in use has died; the next one is loaded at once. */
  #forget(gone: OpenIndex): void {
    if (this.current !== gone) return;
    this.current = undefined;
    this.#noteWhetherBehind();
    if (this.#stop.signal.aborted) return;
    this.#options.log.error(
      'the thread with the sanctions lists has ended; transfers wait until it is loaded again',
    );
    void this.#round();
  }
}

function keyOf(lists: readonly UsedList[]): string {
  return lists.map(({ code, version }) => `${code}:${version}`).join();
}

function noList(): DomainError {
  return new DomainError(
    'temporarily_unavailable',
    'No sanctions list is active, so nobody can be screened. An operator must import one: POST /operator/lists/{code}/versions.',
    { retryAfterSeconds: 60 },
  );
}
