import { z } from 'zod';
import { wholeNumber } from '../list-query.ts';
import type { SubjectKind } from './event.ts';

/** The kind of record that an entry of the change feed is about; a wallet has no event log of its own. */
export type FeedSubjectKind = SubjectKind | 'WALLET';

/** The names of record kinds in the change feed; those of records with webhooks are the same there. */
export const FEED_KINDS = {
  TRANSACTION: 'transaction',
  VERIFICATION: 'wallet-verification',
  CLAIM: 'claim',
  WALLET: 'wallet',
} as const satisfies Record<FeedSubjectKind, string>;

/** In the place of a cursor: only what comes from now on. */
export const FROM_NOW = 'latest';

/** The query of `GET /events`. */
export const ListChangesQuery = z.strictObject({
  _after: z
    .string()
    .max(100)
    .optional()
    .describe(
      'The last cursor received; from the beginning if absent. `latest` answers no changes, and the cursor behind the last one.',
    ),
  _limit: wholeNumber(1, 1_000).optional().describe('1 to 1000; 100 if absent.'),
});

export const ChangeFeed = z
  .strictObject({
    events: z.array(
      z.strictObject({
        cursor: z.string(),
        kind: z.enum(FEED_KINDS),
        id: z
          .string()
          .describe('The id of the record; of IMPORTED the id of the import (`GET /wallets/imports/{id}`).'),
        version: z.int().describe('The version of the record after this change; of IMPORTED always 1.'),
        type: z
          .string()
          .describe(
            "The type in the record's log. Of a wallet: REGISTERED, DETECTED, CONFIRMED, UNCONFIRMED, DATA_UPDATED, DELETED; " +
              'IMPORTED once for all wallets that a CSV file has registered or confirmed.',
          ),
        time: z.iso.datetime(),
      }),
    ),
    nextCursor: z.string().nullable().describe('Send it as `_after`; null if there has been no event yet.'),
  })
  .meta({ id: 'ChangeFeed' });
export type ChangeFeed = z.infer<typeof ChangeFeed>;
