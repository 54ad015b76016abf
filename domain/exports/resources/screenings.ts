import { z } from 'zod';
import { SCREENING_KINDS, type SanctionsScreening } from '../../sanctions-screening/schema.ts';
import { listCell, plainColumns, type CsvColumns } from './csv-columns.ts';
import { exportFilter } from './period.ts';

/** Which sanctions screenings are exported. */
export const ScreeningFilter = exportFilter('ExportScreeningFilter', {
  kind: z.enum(SCREENING_KINDS).optional().describe('Only screenings of names, or of addresses.'),
  sanctioned: z.boolean().optional().describe('Only those with this result.'),
});
export type ScreeningFilter = z.output<typeof ScreeningFilter>;

/** A stored screening, with the transaction that it was made for; null for one that was asked for. */
export type ExportedScreening = SanctionsScreening & { transactionId: string | null };

/** The columns of screenings. */
export const SCREENING_COLUMNS: CsvColumns<ExportedScreening> = [
  ...plainColumns<ExportedScreening>(
    'id',
    'transactionId',
    'kind',
    'screenedName',
    'screenedAt',
    'sanctioned',
    'totalMatches',
    'suppressedMatches',
  ),
  ['matches', ({ matches }) => listCell(matches.map(({ name, listCode }) => `${name} (${listCode})`))],
  ...plainColumns<ExportedScreening>('complete'),
  ['lists', ({ lists }) => listCell(lists.map(({ code, version }) => `${code} ${version}`))],
  ...plainColumns<ExportedScreening>('answeredBy', 'engineVersion'),
  ['askedBy.kind', ({ askedBy }) => askedBy.kind],
  ['askedBy.id', ({ askedBy }) => askedBy.id],
];
