import { z } from 'zod';
import { ListCode } from '../sanctions-lists/list-code.ts';
import { resettable, setting } from '../schema-fields.ts';
import { MATCH_THRESHOLD, REVIEW_THRESHOLD } from '../sanctions/thresholds.ts';

/** Below 0.5 every name has matches that nobody would read. */
const Threshold = z.number().min(0.5).max(1);
const MaxListAgeHours = z.int().min(1).max(8_760);
/** Maximum: a week. */
const MaxWaitMinutes = z.int().min(0).max(10_080);
const RequiredLists = z
  .array(ListCode)
  .max(50)
  .refine((codes) => new Set(codes).size === codes.length, 'each list once is expected');

const DEFAULTS = {
  reviewThreshold: REVIEW_THRESHOLD,
  matchThreshold: MATCH_THRESHOLD,
  requiredLists: [] as string[],
  maxListAgeHours: 48,
  maxWaitMinutes: 60,
};

export const ScreeningSettings = z.strictObject({
  reviewThreshold: setting(
    z.number(),
    DEFAULTS.reviewThreshold,
    'Minimum score (0 to 1) for a match to be shown.',
  ),
  matchThreshold: setting(
    z.number(),
    DEFAULTS.matchThreshold,
    'Minimum score for the subject to count as sanctioned.',
  ),
  requiredLists: setting(
    z.array(z.string()),
    DEFAULTS.requiredLists,
    'Lists without which a screening is not complete.',
  ),
  maxListAgeHours: setting(
    z.int(),
    DEFAULTS.maxListAgeHours,
    'Maximum time since a required list was last confirmed to be the newest.',
  ),
  maxWaitMinutes: setting(
    z.int(),
    DEFAULTS.maxWaitMinutes,
    'Time after which a transfer that cannot be screened is held for review.',
  ),
});
export type ScreeningSettings = z.infer<typeof ScreeningSettings>;

const { shape } = ScreeningSettings;

export const PatchScreeningSettings = z.strictObject({
  reviewThreshold: resettable(Threshold, shape.reviewThreshold),
  matchThreshold: resettable(Threshold, shape.matchThreshold),
  requiredLists: resettable(RequiredLists, shape.requiredLists),
  maxListAgeHours: resettable(MaxListAgeHours, shape.maxListAgeHours),
  maxWaitMinutes: resettable(MaxWaitMinutes, shape.maxWaitMinutes),
});

export const SCREENING_DEFAULTS: ScreeningSettings = DEFAULTS;
