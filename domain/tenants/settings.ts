import { z } from 'zod';
import { parseAmount } from '../decimal.ts';

/** An amount in euro as a decimal text; 0 is allowed and means that every transfer is above it. */
const EuroAmount = z.union([z.number(), z.string()]).transform((given, context): string => {
  if (given === 0 || given === '0') return '0';
  const parsed = parseAmount(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

/** What an administrator may change about how the service works for the tenant. Later parts add their fields. */
export const Settings = z
  .strictObject({
    autoConfirmSelfHosted: z.boolean(),
    selfHosted: z.strictObject({ thresholdEur: z.string().nullable() }),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

export const PatchSettingsBody = z
  .strictObject({
    autoConfirmSelfHosted: z.boolean().nullable().optional(),
    selfHosted: z.strictObject({ thresholdEur: EuroAmount.nullable().optional() }).optional(),
  })
  .meta({ id: 'PatchSettings' });
export type PatchSettingsBody = z.infer<typeof PatchSettingsBody>;

const DEFAULTS: Settings = {
  autoConfirmSelfHosted: true,
  selfHosted: { thresholdEur: '1000' },
};

/** Only what differs from the defaults is stored, so that a better default reaches everybody who never chose. */
export interface StoredSettings {
  autoConfirmSelfHosted?: boolean;
  selfHosted?: { thresholdEur?: string | null };
}

export function settingsOf(stored: StoredSettings): Settings {
  return {
    autoConfirmSelfHosted: stored.autoConfirmSelfHosted ?? DEFAULTS.autoConfirmSelfHosted,
    selfHosted: { ...DEFAULTS.selfHosted, ...stored.selfHosted },
  };
}

/** null on a switch returns it to its default; null on the threshold means "no limit". */
export function patchSettings(stored: StoredSettings, patch: PatchSettingsBody): StoredSettings {
  const { autoConfirmSelfHosted, ...rest } = stored;
  const next: StoredSettings = { ...rest };
  const chosen =
    patch.autoConfirmSelfHosted === undefined ? autoConfirmSelfHosted : patch.autoConfirmSelfHosted;
  if (chosen !== null && chosen !== undefined) next.autoConfirmSelfHosted = chosen;
  const thresholdEur = patch.selfHosted?.thresholdEur;
  if (thresholdEur !== undefined) next.selfHosted = { ...stored.selfHosted, thresholdEur };
  return next;
}
