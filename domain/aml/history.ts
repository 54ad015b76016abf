import { z } from 'zod';
import { wholeNumber } from '../list-query.ts';
import { CHECK_KINDS, findingFields } from './finding.ts';
import { PROVIDERS } from './service-key.ts';
import { SEVERITIES } from './severity.ts';

const PAGE_LIMIT = 100;

/** Paging by offset and limit, as used by the AML endpoints. */
export const pageFields = {
  offset: wholeNumber(0).default(0).describe('Number of items to skip. 0 if absent.'),
  limit: wholeNumber(1, PAGE_LIMIT, `A page has at most ${PAGE_LIMIT} items.`)
    .default(PAGE_LIMIT)
    .describe(`Number of items per page, at most ${PAGE_LIMIT}, which is the default.`),
};

export const HistoryQuery = z.strictObject({ type: z.enum(CHECK_KINDS).optional(), ...pageFields });
export type HistoryQuery = z.output<typeof HistoryQuery>;

export const HistoryEntry = z
  .strictObject({
    id: z.uuid(),
    type: z.enum(CHECK_KINDS),
    query: z.string().describe('The address or hash.'),
    blockchain: z.string(),
    provider: z.enum(PROVIDERS),
    status: findingFields.status,
    riskScore: findingFields.riskScore,
    riskSeverity: z.enum(SEVERITIES).nullable(),
    recheckOf: z.uuid().nullable(),
    fetchedAt: z.iso.datetime(),
    createdAt: z.iso.datetime(),
    createdBy: z.uuid().nullable().describe('The API key of the request; null for the service itself.'),
  })
  .meta({ id: 'AmlHistoryEntry' });
export type HistoryEntry = z.infer<typeof HistoryEntry>;
