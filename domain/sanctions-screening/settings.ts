import { z } from 'zod';
import { ListCode } from '../sanctions-lists/list-code.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../sanctions/thresholds.ts';

/** Below 0.5 every name has matches that nobody would read. */
const Threshold = z.number().min(0.5).max(1);
const MaxListAgeHours = z.int().min(1).max(8_760);
/** At most a week. */
const MaxWaitMinutes = z.int().min(0).max(10_080);
const RequiredLists = z
  .array(ListCode)
  .max(50)
  .refine((codes) => new Set(codes).size === codes.length, 'each list once is expected');

export const ScreeningSettings = z.strictObject({
  reviewThreshold: z.number().describe('Minimum score (0 to 1) for a match to be shown.'),
  matchThreshold: z.number().describe('Minimum score for the subject to count as sanctioned.'),
  requiredLists: z.array(z.string()).describe('Lists without which a screening is not complete.'),
  maxListAgeHours: z
    .int()
    .describe('Maximum time since a required list was last confirmed to be the newest.'),
  maxWaitMinutes: z.int().describe('Time after which a transfer that cannot be screened is held for review.'),
});
export type ScreeningSettings = z.infer<typeof ScreeningSettings>;

export const PatchScreeningSettings = z.strictObject({
  reviewThreshold: Threshold.nullable().optional(),
  matchThreshold: Threshold.nullable().optional(),
  requiredLists: RequiredLists.nullable().optional(),
  maxListAgeHours: MaxListAgeHours.nullable().optional(),
  maxWaitMinutes: MaxWaitMinutes.nullable().optional(),
});

export const SCREENING_DEFAULTS: ScreeningSettings = {
  reviewThreshold: REVIEW_THRESHOLD,
  matchThreshold: MATCH_THRESHOLD,
  requiredLists: [],
  maxListAgeHours: 48,
  maxWaitMinutes: 60,
};
