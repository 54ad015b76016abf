import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import { invalidField } from '../errors.ts';
import {
  PatchScreeningSettings,
  SCREENING_DEFAULTS,
  ScreeningSettings,
} from '../sanctions-screening/settings.ts';
import { clearable, resettable, setting } from '../schema-fields.ts';
import { AllowedFlows, ExpiresInHours, FlowName } from '../verifications/schema.ts';
import { FLOWS, type Flow } from '../verifications/state.ts';
import { TimeZone } from './time-zone.ts';

/** An amount in euros as a decimal string; 0 is allowed and puts every transfer above it. */
const EuroAmount = z.union([z.number(), z.string()]).transform((given, context): string => {
  if (given === 0 || given === '0') return '0';
  const parsed = parseAmount(given);
  if (parsed.ok) return parsed.value;
  context.addIssue({ code: 'custom', message: parsed.message });
  return z.NEVER;
});

const DEFAULTS = {
  autoConfirmSelfHosted: true,
  holdIncomplete: false,
  sealWebhook: false,
  timeZone: 'UTC',
  selfHosted: {
    thresholdEur: '1000',
    flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'] as Flow[],
    maxProofAgeDays: null,
    acceptUnbound: false,
  },
  walletVerification: { allowedFlows: [...FLOWS], expiresInHours: 48, contractWallets: false },
  screening: SCREENING_DEFAULTS,
  fourEyes: { rules: false, review: false },
  rules: { blockGuard: true },
};

const selfHosted = z.strictObject({
  thresholdEur: setting(
    z.string().nullable(),
    DEFAULTS.selfHosted.thresholdEur,
    'In euros: above it, or while the value is unknown, only a proof by `flowsAbove` confirms a transfer. Null: no limit.',
  ),
  flowsAbove: setting(
    z.array(FlowName),
    DEFAULTS.selfHosted.flowsAbove,
    'Flows accepted as a proof above the threshold.',
  ),
  maxProofAgeDays: setting(
    z.int().nullable(),
    DEFAULTS.selfHosted.maxProofAgeDays,
    'Maximum age of a proof above the threshold. Null: no limit.',
  ),
  acceptUnbound: setting(
    z.boolean(),
    DEFAULTS.selfHosted.acceptUnbound,
    'Whether a signature with the warning UNBOUND_MESSAGE counts above the threshold. Only for tenants whose own ' +
      'application makes the texts.',
  ),
});

const walletVerification = z.strictObject({
  allowedFlows: setting(
    z.array(FlowName),
    DEFAULTS.walletVerification.allowedFlows,
    'Flows that verifications may offer.',
  ),
  expiresInHours: setting(
    z.int(),
    DEFAULTS.walletVerification.expiresInHours,
    'Lifetime of verifications that set none of their own.',
  ),
  contractWallets: setting(
    z.boolean(),
    DEFAULTS.walletVerification.contractWallets,
    'Whether a contract may confirm a signature (ERC-1271, ERC-6492).',
  ),
});

const fourEyes = z.strictObject({
  rules: setting(
    z.boolean(),
    DEFAULTS.fourEyes.rules,
    'Whether a draft must be published with another API key than that of its last author. A key of role ADMIN reads ' +
      'and creates keys and can change this setting, so whoever holds one can be both.',
  ),
  review: setting(
    z.boolean(),
    DEFAULTS.fourEyes.review,
    'Whether two API keys must agree before a held transaction passes. It separates holders of COMPLIANCE keys; a key ' +
      'of role ADMIN reads and creates keys and can change this setting, so whoever holds one can be both.',
  ),
});

const rules = z.strictObject({
  blockGuard: setting(
    z.boolean(),
    DEFAULTS.rules.blockGuard,
    'Whether BLOCK decisions of a new version become reviews when they exceed 30 % of its first 50 decisions.',
  ),
});

/** A tenant's settings, which its administrators may change. */
export const Settings = z
  .strictObject({
    autoConfirmSelfHosted: setting(
      z.boolean(),
      DEFAULTS.autoConfirmSelfHosted,
      'Whether a transfer to or from a self-hosted wallet is confirmed without a proof, up to `selfHosted.thresholdEur`.',
    ),
    holdIncomplete: setting(
      z.boolean(),
      DEFAULTS.holdIncomplete,
      'Whether a message that does not name both parties is held for a review before it is sent.',
    ),
    sealWebhook: setting(
      z.boolean(),
      DEFAULTS.sealWebhook,
      'Whether the daily seal of the event logs is also sent as the webhook `seal`.',
    ),
    timeZone: setting(
      z.string(),
      DEFAULTS.timeZone,
      'The time zone of the tenant, a name of the IANA database such as Europe/Zurich. It decides in which month something falls.',
    ),
    selfHosted,
    walletVerification,
    screening: ScreeningSettings,
    fourEyes,
    rules,
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

const { autoConfirmSelfHosted, holdIncomplete, sealWebhook, timeZone } = Settings.shape;

export const PatchSettingsBody = z
  .strictObject({
    autoConfirmSelfHosted: resettable(z.boolean(), autoConfirmSelfHosted),
    holdIncomplete: resettable(z.boolean(), holdIncomplete),
    sealWebhook: resettable(z.boolean(), sealWebhook),
    timeZone: resettable(TimeZone, timeZone),
    selfHosted: z
      .strictObject({
        thresholdEur: clearable(EuroAmount).describe(selfHosted.shape.thresholdEur.description ?? ''),
        flowsAbove: resettable(AllowedFlows, selfHosted.shape.flowsAbove),
        maxProofAgeDays: clearable(z.int().min(1).max(3_650)).describe(
          selfHosted.shape.maxProofAgeDays.description ?? '',
        ),
        acceptUnbound: resettable(z.boolean(), selfHosted.shape.acceptUnbound),
      })
      .optional(),
    walletVerification: z
      .strictObject({
        allowedFlows: resettable(AllowedFlows, walletVerification.shape.allowedFlows),
        expiresInHours: resettable(ExpiresInHours, walletVerification.shape.expiresInHours),
        contractWallets: resettable(z.boolean(), walletVerification.shape.contractWallets),
      })
      .optional(),
    screening: PatchScreeningSettings.optional(),
    fourEyes: z
      .strictObject({
        rules: resettable(z.boolean(), fourEyes.shape.rules),
        review: resettable(z.boolean(), fourEyes.shape.review),
      })
      .optional(),
    rules: z.strictObject({ blockGuard: resettable(z.boolean(), rules.shape.blockGuard) }).optional(),
  })
  .meta({ id: 'PatchSettings' });
export type PatchSettingsBody = z.infer<typeof PatchSettingsBody>;

/** The settings that a tenant has chosen. Defaults are not stored, so that a new default applies to all other tenants. */
export interface StoredSettings {
  autoConfirmSelfHosted?: boolean;
  holdIncomplete?: boolean;
  sealWebhook?: boolean;
  timeZone?: string;
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
    timeZone: stored.timeZone ?? DEFAULTS.timeZone,
    selfHosted: { ...DEFAULTS.selfHosted, ...stored.selfHosted },
    walletVerification: { ...DEFAULTS.walletVerification, ...stored.walletVerification },
    screening: { ...DEFAULTS.screening, ...stored.screening },
    fourEyes: { ...DEFAULTS.fourEyes, ...stored.fourEyes },
    rules: { ...DEFAULTS.rules, ...stored.rules },
  };
}

/** Applies a patch: null returns a setting to its default; for threshold and age of a proof it means "no limit". */
export function patchSettings(stored: StoredSettings, patch: PatchSettingsBody): StoredSettings {
  const { autoConfirmSelfHosted, holdIncomplete, sealWebhook, timeZone, ...groups } = stored;
  const flags = { autoConfirmSelfHosted, holdIncomplete, sealWebhook, timeZone };
  const { autoConfirmSelfHosted: confirms, holdIncomplete: holds, sealWebhook: seals } = patch;
  const chosen = patchGroup(flags, {
    autoConfirmSelfHosted: confirms,
    holdIncomplete: holds,
    sealWebhook: seals,
    timeZone: patch.timeZone,
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
  [K in 'autoConfirmSelfHosted' | 'holdIncomplete' | 'sealWebhook' | 'timeZone']?:
    StoredSettings[K] | undefined;
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
