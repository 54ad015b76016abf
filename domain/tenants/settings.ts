import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import { invalidField } from '../errors.ts';
import {
  PatchScreeningSettings,
  SCREENING_DEFAULTS,
  ScreeningSettings,
} from '../sanctions-screening/settings.ts';
import { AllowedFlows, ExpiresInHours, FlowName } from '../verifications/schema.ts';
import { FLOWS, type Flow } from '../verifications/state.ts';

/** An amount in euros as a decimal string; 0 is allowed and puts every transfer above it. */
const EuroAmount = z.union([z.number(), z.string()]).transform((given, context): string => {
  if (given === 0 || given === '0') return '0';
  const parsed = parseAmount(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

/** A tenant's settings, which its administrators may change. */
export const Settings = z
  .strictObject({
    autoConfirmSelfHosted: z.boolean(),
    holdIncomplete: z
      .boolean()
      .describe('Whether a message that does not name both parties is held for a review before it is sent.'),
    sealWebhook: z
      .boolean()
      .describe('Whether the daily seal of the event logs is also sent as the webhook `seal`.'),
    selfHosted: z.strictObject({
      thresholdEur: z
        .string()
        .nullable()
        .describe('Above it, only a proof by `flowsAbove` confirms a transfer; null: no limit.'),
      flowsAbove: z.array(FlowName).describe('Flows accepted as a proof above the threshold.'),
      maxProofAgeDays: z
        .int()
        .nullable()
        .describe('Maximum age of a proof above the threshold; null: no limit.'),
      acceptUnbound: z
        .boolean()
        .describe(
          'Whether a signature with the warning UNBOUND_MESSAGE counts above the threshold. Only for tenants whose own ' +
            'application makes the texts.',
        ),
    }),
    walletVerification: z.strictObject({
      allowedFlows: z.array(FlowName).describe('Flows that verifications may offer.'),
      expiresInHours: z.int().describe('Lifetime of verifications that set none of their own.'),
      contractWallets: z
        .boolean()
        .describe('Whether a contract may confirm a signature (ERC-1271, ERC-6492).'),
    }),
    screening: ScreeningSettings,
    fourEyes: z.strictObject({
      rules: z
        .boolean()
        .describe(
          'Whether a draft must be published with another API key than that of its last author. A key of role ADMIN reads ' +
            'and creates keys and can change this setting, so whoever holds one can be both.',
        ),
      review: z
        .boolean()
        .describe(
          'Whether two API keys must agree before a held transaction passes. It separates holders of COMPLIANCE keys; a key ' +
            'of role ADMIN reads and creates keys and can change this setting, so whoever holds one can be both.',
        ),
    }),
    rules: z.strictObject({
      blockGuard: z
        .boolean()
        .describe(
          'Whether BLOCK decisions of a new version become reviews when they exceed 30 % of its first 50 decisions.',
        ),
    }),
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

export const PatchSettingsBody = z
  .strictObject({
    autoConfirmSelfHosted: z.boolean().nullable().optional(),
    holdIncomplete: z.boolean().nullable().optional(),
    sealWebhook: z.boolean().nullable().optional(),
    selfHosted: z
      .strictObject({
        thresholdEur: EuroAmount.nullable().optional(),
        flowsAbove: AllowedFlows.nullable().optional(),
        maxProofAgeDays: z.int().min(1).max(3_650).nullable().optional(),
        acceptUnbound: z.boolean().nullable().optional(),
      })
      .optional(),
    walletVerification: z
      .strictObject({
        allowedFlows: AllowedFlows.nullable().optional(),
        expiresInHours: ExpiresInHours.nullable().optional(),
        contractWallets: z.boolean().nullable().optional(),
      })
      .optional(),
    screening: PatchScreeningSettings.optional(),
    fourEyes: z
      .strictObject({ rules: z.boolean().nullable().optional(), review: z.boolean().nullable().optional() })
      .optional(),
    rules: z.strictObject({ blockGuard: z.boolean().nullable().optional() }).optional(),
  })
  .meta({ id: 'PatchSettings' });
export type PatchSettingsBody = z.infer<typeof PatchSettingsBody>;

const DEFAULTS: Settings = {
  autoConfirmSelfHosted: true,
  holdIncomplete: false,
  sealWebhook: false,
  selfHosted: {
    thresholdEur: '1000',
    flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'],
    maxProofAgeDays: null,
    acceptUnbound: false,
  },
  walletVerification: { allowedFlows: [...FLOWS], expiresInHours: 48, contractWallets: false },
  screening: SCREENING_DEFAULTS,
  fourEyes: { rules: false, review: false },
  rules: { blockGuard: true },
};

/** The settings that a tenant has chosen. Defaults are not stored, so that a new default applies to all other tenants. */
export interface StoredSettings {
  autoConfirmSelfHosted?: boolean;
  holdIncomplete?: boolean;
  sealWebhook?: boolean;
  selfHosted?: Partial<Settings['selfHosted']>;
  walletVerification?: { allowedFlows?: Flow[]; expiresInHours?: number; contractWallets?: boolean };
  screening?: Partial<ScreeningSettings>;
  fourEyes?: Partial<Settings['fourEyes']>;
  rules?: Partial<Settings['rules']>;
}

/** The stored settings, completed by the defaults. */
export function settingsOf(stored: StoredSettings): Settings {
  return {
    autoConfirmSelfHosted: stored.autoConfirmSelfHosted ?? DEFAULTS.autoConfirmSelfHosted,
    holdIncomplete: stored.holdIncomplete ?? DEFAULTS.holdIncomplete,
    sealWebhook: stored.sealWebhook ?? DEFAULTS.sealWebhook,
    selfHosted: { ...DEFAULTS.selfHosted, ...stored.selfHosted },
    walletVerification: { ...DEFAULTS.walletVerification, ...stored.walletVerification },
    screening: { ...DEFAULTS.screening, ...stored.screening },
    fourEyes: { ...DEFAULTS.fourEyes, ...stored.fourEyes },
    rules: { ...DEFAULTS.rules, ...stored.rules },
  };
}

/** Applies a patch: null returns a setting to its default; for threshold and age of a proof it means "no limit". */
export function patchSettings(stored: StoredSettings, patch: PatchSettingsBody): StoredSettings {
  const { autoConfirmSelfHosted, holdIncomplete, sealWebhook, ...groups } = stored;
  const flags = { autoConfirmSelfHosted, holdIncomplete, sealWebhook };
  const { autoConfirmSelfHosted: confirms, holdIncomplete: holds, sealWebhook: seals } = patch;
  const chosen = patchGroup(flags, {
    autoConfirmSelfHosted: confirms,
    holdIncomplete: holds,
    sealWebhook: seals,
  });
  const next: StoredSettings = { ...groups, ...withoutUndefined(chosen) };
  const selfHosted = patchSelfHosted(stored.selfHosted, patch.selfHosted);
  if (selfHosted) next.selfHosted = selfHosted;
  if (patch.walletVerification) {
    next.walletVerification = patchGroup(stored.walletVerification, patch.walletVerification);
  }
  if (patch.screening) {
    next.screening = patchGroup(stored.screening, patch.screening);
    requireThresholdsInOrder(settingsOf(next).screening);
  }
  if (patch.fourEyes) next.fourEyes = patchGroup(stored.fourEyes, patch.fourEyes);
  if (patch.rules) next.rules = patchGroup(stored.rules, patch.rules);
  return next;
}

function withoutUndefined(flags: {
  [K in 'autoConfirmSelfHosted' | 'holdIncomplete' | 'sealWebhook']?: boolean | undefined;
}): StoredSettings {
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

/** Throws validation_failed if the match threshold is below the review threshold: each match must be shown for review. */
function requireThresholdsInOrder({ reviewThreshold, matchThreshold }: ScreeningSettings): void {
  if (matchThreshold >= reviewThreshold) return;
  throw invalidField(
    '/screening/matchThreshold',
    'below_review',
    'The match threshold must not be below the review threshold.',
  );
}

/** The stored settings for self-hosted wallets; undefined if none is chosen. Null is stored: it means "no limit". */
function patchSelfHosted(
  stored: StoredSettings['selfHosted'],
  patch: PatchSettingsBody['selfHosted'] = {},
): StoredSettings['selfHosted'] {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  if (given.length === 0) return stored;
  const { flowsAbove, acceptUnbound, ...rest } = { ...stored, ...Object.fromEntries(given) } as NonNullable<
    PatchSettingsBody['selfHosted']
  >;
  return {
    ...rest,
    ...(flowsAbove ? { flowsAbove } : {}),
    ...(acceptUnbound ? { acceptUnbound } : {}),
  } as StoredSettings['selfHosted'];
}

/** Applies a patch to a group of settings: an absent setting stays, null returns it to its default. */
function patchGroup<T extends object>(
  stored: T | undefined,
  patch: { [K in keyof T]?: T[K] | null | undefined },
): T {
  const given = Object.entries(patch).filter(([, value]) => value !== undefined);
  const merged = Object.entries({ ...stored, ...Object.fromEntries(given) });
  return Object.fromEntries(merged.filter(([, value]) => value !== null)) as T;
}
