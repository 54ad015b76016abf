import { z } from 'zod';

/** The query of `GET /tenant/me/archive/{id}`: why somebody looks into the archive is part of the record. */
export const ReadArchiveQuery = z.strictObject({
  reason: z.string().min(1).max(500).describe('Why the record is read; kept with the event.'),
});
