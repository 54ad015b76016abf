import { z } from 'zod';
import { listQuery, Timestamp } from '../list-query.ts';
import { SanctionsScreening, SCREENING_KINDS } from './schema.ts';

/** A screening in the history, without its matches: these are in `GET /sanctions/history/{id}`. */
export const ScreeningSummary = SanctionsScreening.omit({
  matches: true,
  missingLists: true,
  thresholds: true,
  request: true,
}).meta({ id: 'ScreeningSummary' });
export type ScreeningSummary = z.infer<typeof ScreeningSummary>;

const Flag = z.enum(['true', 'false']).transform((text) => text === 'true');

/** The query of `GET /sanctions/history`. */
export const ListScreeningsQuery = listQuery({
  sortable: ['screenedAt'],
  filters: {
    _kind: z.enum(SCREENING_KINDS),
    _sanctioned: Flag,
    _from: Timestamp,
    _to: Timestamp,
  },
});
export type ScreeningList = z.output<typeof ListScreeningsQuery>;
