import type { Schemas } from './api-types.ts';
import { get } from './exchange.ts';

export type FeedChange = Schemas['ChangeFeedEvent'];
type ChangeListener = (changes: readonly FeedChange[]) => void;

const EVERY_MS = 4_000;
const LIMIT = '200';

/** Asks the change feed what others have done, as long as somebody can see the page. */
class ChangeFeed {
  #listeners = new Set<ChangeListener>();
  #cursor: string | null | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isAsking = false;
  #isStarted = false;

  start(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    document.addEventListener('visibilitychange', () => this.#schedule(0));
    this.#schedule(0);
  }

  /** Returns what ends the subscription. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Asks at once: somebody has just done something here. */
  askNow(): void {
    this.#schedule(0);
  }

  #schedule(inMs: number): void {
    clearTimeout(this.#timer);
    if (document.hidden) return;
    this.#timer = setTimeout(() => void this.#ask(), inMs);
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      await this.#readOn();
    } catch {
      // The pages tell what they cannot read; the feed tries again.
    } finally {
      this.#isAsking = false;
      this.#schedule(EVERY_MS);
    }
  }

  async #readOn(): Promise<void> {
    if (this.#cursor === undefined) {
      this.#cursor = (await get('/events', { query: { _after: 'latest' } })).nextCursor;
      return;
    }
    const after = this.#cursor === null ? {} : { _after: this.#cursor };
    const { events, nextCursor } = await get('/events', { query: { ...after, _limit: LIMIT } });
    this.#cursor = nextCursor;
    if (events.length > 0) for (const listener of this.#listeners) listener(events);
  }
}

export const changeFeed = new ChangeFeed();
