import type { ApiCalls } from '../api-calls.ts';
import type { CallOptions, Schemas } from '../operations.ts';

type ChangeFeed = Schemas['ChangeFeed'];

/** The largest page of the feed. */
const PAGE_EVENTS = 1_000;

/** Calls of `/events`: every change of the tenant's records in order, for clients that were away. */
export function changeFeedCalls({ request }: ApiCalls) {
  return {
    /**
     * Every change after a cursor, or from the beginning, up to now. Store the `cursor` of each event once it is processed,
     * and go on from there. Throws ValidationProblem for a cursor that the API does not know.
     */
    async *since(
      cursor?: string,
      options?: CallOptions,
    ): AsyncGenerator<ChangeFeed['events'][number], void, undefined> {
      for (let after = cursor; ;) {
        const query = { _limit: PAGE_EVENTS, ...(after !== undefined && { _after: after }) };
        const { events, nextCursor } = await request('GET', '/events', { ...options, query });
        yield* events;
        if (events.length < PAGE_EVENTS || nextCursor === null) return;
        after = nextCursor;
      }
    },
  };
}
