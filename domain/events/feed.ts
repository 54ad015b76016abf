import { z } from 'zod';
import { wholeNumber } from '../list-query.ts';
import type { SubjectKind } from './event.ts';

/** The names of record kinds in webhooks and in the change feed. */
export const FEED_KINDS = {
  TRANSACTION: 'transaction',
  VERIFICATION: 'wallet-verification',
} as const satisfies Record<SubjectKind, string>;

/** The query of `GET /events`. */
export const ListChangesQuery = z.strictObject({
  _after: z.string().max(100).optional().describe('The last cursor received; from the beginning if absent.'),
  _limit: wholeNumber(1).pipe(z.int().max(1_000)).optional().describe('1 to 1000; 100 if absent.'),
});

export const ChangeFeed = z
  .strictObject({
    events: z.array(
      z.strictObject({
        cursor: z.string(),
        kind: z.enum(FEED_KINDS),
        id: z.uuid(),
        version: z.int(),
        type: z.string(),
        time: z.iso.datetime(),
      }),
    ),
    nextCursor: z.string().nullable().describe('Send it as `_after`; null if there has been no event yet.'),
  })
  .meta({ id: 'ChangeFeed' });
export type ChangeFeed = z.infer<typeof ChangeFeed>;
