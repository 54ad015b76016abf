import type { ChangeFeed } from '../../domain/events/feed.ts';
import { eventually } from '../eventually.ts';
import type { Client } from './tenant.ts';

/**
 * Reads the change feed of a tenant until what was written is in it. The feed ends before the oldest transaction that is
 * open on the PostgreSQL server, and tests that run beside this one have theirs open.
 */
export async function readFeed(
  client: Client,
  isWhole: (events: ChangeFeed['events']) => boolean,
): Promise<ChangeFeed> {
  return await eventually(
    async () => (await client.get<ChangeFeed>('/events?_limit=1000')).body,
    ({ events }) => isWhole(events),
  );
}
