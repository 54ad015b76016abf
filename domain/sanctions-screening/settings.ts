import { z } from 'zod';
import { ListCode } from '../sanctions-lists/list-code.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../sanctions/thresholds.ts';

/** Under a half every name has hits that nobody would read. */
const Threshold = z.number().min(0.5).max(1);
const MaxListAgeHours = z.int().min(1).max(8_760);
/** A week. */
const MaxWaitMinutes = z.int().min(0).max(10_080);
const RequiredLists = z
  .array(ListCode)
  .max(50)
  .refine((codes) => new Set(codes).size === codes.length, 'each list once is expected');

export const ScreeningSettings = z.strictObject({
  reviewThreshold: z.number().describe('From this score on (0 to 1) a match is shown.'),
  matchThreshold: z.number().describe('From this score on the subject counts as sanctioned.'),
  requiredLists: z.array(z.string()).describe('Without one of these an answer is not complete.'),
  maxListAgeHours: z.int().describe('How long ago a required list may have been known to be the newest.'),
  maxWaitMinutes: z.int().describe('How long a transfer may wait for an answer that cannot be had.'),
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
