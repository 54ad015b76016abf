import { z } from 'zod';
import { listQuery } from '../list-query.ts';
import { proposalShown } from '../proposals/schema.ts';
import { AskedBy } from './schema.ts';
import { ListCode } from '../sanctions-lists/list-code.ts';

/** Marks a match of a screening as a false positive. */
export const CreateSuppressionBody = z
  .strictObject({
    screeningId: z.uuid().toLowerCase(),
    listCode: ListCode,
    listingId: z.string().min(1).max(200),
    note: z.string().min(1).max(2_000).optional(),
  })
  .meta({ id: 'CreateSuppression' });
export type CreateSuppressionBody = z.infer<typeof CreateSuppressionBody>;

/** A match that a tenant has marked as a false positive for one subject. */
export const Suppression = z
  .strictObject({
    id: z.uuid(),
    screeningId: z.uuid(),
    screenedName: z.string(),
    listCode: z.string(),
    listingId: z.string(),
    name: z.string().describe('Name of the listed entry.'),
    entryHash: z.string().describe('The match is shown again when the hash of the entry changes.'),
    note: z.string().nullable(),
    madeBy: AskedBy.meta({ id: 'SuppressionMadeBy' }),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'Suppression' });
export type Suppression = z.infer<typeof Suppression>;

/** The answer to a match that was marked as a false positive. */
export const MadeSuppression = z
  .strictObject({ ...Suppression.shape, ...proposalShown })
  .meta({ id: 'MadeSuppression' });

/** The query of `GET /sanctions/suppressions`. */
export const ListSuppressionsQuery = listQuery({
  sortable: ['createdAt'],
  filters: { _listCode: ListCode },
});
export type SuppressionList = z.output<typeof ListSuppressionsQuery>;
