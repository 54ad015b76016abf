import { z } from 'zod';
import { parseAmount } from '../decimal.ts';
import {
  PatchScreeningSettings,
  SCREENING_DEFAULTS,
  ScreeningSettings,
} from '../sanctions-screening/settings.ts';
import { proposalShown } from '../proposals/schema.ts';
import { clearable, resettable, setting } from '../schema-fields.ts';
import { AllowedFlows, ExpiresInHours, FlowName } from '../verifications/schema.ts';
import { FLOWS, type VerificationFlow } from '../verifications/state.ts';
import { Branding, BRANDING_DEFAULTS, PatchBranding, type StoredBranding } from './branding.ts';
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
  reconciliationWebhook: false,
  addressQuestionUrl: null,
  claimDeadlineDays: 3,
  deliveryEmailEnabled: false,
  // Five calendar years.
  retentionDays: 1_827,
  timeZone: 'UTC',
  maskApiKeys: false,
  branding: BRANDING_DEFAULTS,
  selfHosted: {
    thresholdEur: '1000',
    flowsAbove: ['SIGNATURE_PROOF', 'SATOSHI_TEST', 'VISUAL_PROOF'] as VerificationFlow[],
    maxProofAgeDays: null,
    acceptUnbound: false,
  },
  walletVerification: { allowedFlows: [...FLOWS], expiresInHours: 48, contractWallets: false },
  screening: SCREENING_DEFAULTS,
  fourEyes: { rules: false, review: false, suppressions: false, webhookUrl: false },
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
  rules: setting(z.boolean(), DEFAULTS.fourEyes.rules, 'Whether publishing a draft needs a second person.'),
  review: setting(
    z.boolean(),
    DEFAULTS.fourEyes.review,
    'Whether letting pass a transaction that is held, waits for a rule or lacks a proof needs a second person.',
  ),
  suppressions: setting(
    z.boolean(),
    DEFAULTS.fourEyes.suppressions,
    'Whether marking a sanctions match as a false positive needs a second person.',
  ),
  webhookUrl: setting(
    z.boolean(),
    DEFAULTS.fourEyes.webhookUrl,
    'Whether another address for webhooks, or another `addressQuestionUrl`, needs a second person.',
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
    reconciliationWebhook: setting(
      z.boolean(),
      DEFAULTS.reconciliationWebhook,
      'Whether transactions that newly lack a hash, an answer or a message are also sent as the webhook `reconciliation`.',
    ),
    addressQuestionUrl: setting(
      z.string().nullable(),
      DEFAULTS.addressQuestionUrl,
      'Where you are asked whether the destination of a message is yours, before it is routed; null for nowhere. Rules of ' +
        '`webhookUrl`.',
    ),
    claimDeadlineDays: setting(
      z.int(),
      DEFAULTS.claimDeadlineDays,
      'Working days of the TARGET calendar that a counterparty has to answer a claim: 1 to 30. One may have its own.',
    ),
    deliveryEmailEnabled: setting(
      z.boolean(),
      DEFAULTS.deliveryEmailEnabled,
      'Whether messages to VASPs on no network are offered by e-mail: a link to a page on which they are read and answered.',
    ),
    retentionDays: setting(
      z.int(),
      DEFAULTS.retentionDays,
      'Days for which records are kept, but five calendar years at least: 1 to 3,653. Stored; this version erases no records.',
    ),
    timeZone: setting(
      z.string(),
      DEFAULTS.timeZone,
      'The time zone of the tenant, a name of the IANA database such as Europe/Zurich. It decides in which month something falls.',
    ),
    maskApiKeys: setting(
      z.boolean(),
      DEFAULTS.maskApiKeys,
      'Whether API keys are shown in full only when they are created. Whoever may administer can switch it off.',
    ),
    branding: Branding,
    selfHosted,
    walletVerification,
    screening: ScreeningSettings,
    fourEyes,
    rules,
  })
  .meta({ id: 'Settings' });
export type Settings = z.infer<typeof Settings>;

/** The answer to a change of settings. */
export const ChangedSettings = z
  .strictObject({ ...Settings.shape, ...proposalShown })
  .meta({ id: 'ChangedSettings' });

const {
  autoConfirmSelfHosted,
  holdIncomplete,
  sealWebhook,
  reconciliationWebhook,
  addressQuestionUrl,
  timeZone,
  maskApiKeys,
  ...planned
} = Settings.shape;

export const PatchSettingsBody = z
  .strictObject({
    autoConfirmSelfHosted: resettable(z.boolean(), autoConfirmSelfHosted),
    holdIncomplete: resettable(z.boolean(), holdIncomplete),
    sealWebhook: resettable(z.boolean(), sealWebhook),
    reconciliationWebhook: resettable(z.boolean(), reconciliationWebhook),
    addressQuestionUrl: resettable(z.string().min(1).max(2_000), addressQuestionUrl),
    claimDeadlineDays: resettable(z.int().min(1).max(30), planned.claimDeadlineDays),
    deliveryEmailEnabled: resettable(z.boolean(), planned.deliveryEmailEnabled),
    retentionDays: resettable(z.int().min(1).max(3_653), planned.retentionDays),
    timeZone: resettable(TimeZone, timeZone),
    maskApiKeys: resettable(z.boolean(), maskApiKeys),
    branding: PatchBranding.optional(),
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
        suppressions: resettable(z.boolean(), fourEyes.shape.suppressions),
        webhookUrl: resettable(z.boolean(), fourEyes.shape.webhookUrl),
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
  reconciliationWebhook?: boolean;
  addressQuestionUrl?: string;
  claimDeadlineDays?: number;
  deliveryEmailEnabled?: boolean;
  retentionDays?: number;
  timeZone?: string;
  maskApiKeys?: boolean;
  branding?: StoredBranding;
  selfHosted?: Partial<Settings['selfHosted']>;
  walletVerification?: {
    allowedFlows?: VerificationFlow[];
    expiresInHours?: number;
    contractWallets?: boolean;
  };
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
    reconciliationWebhook: stored.reconciliationWebhook ?? DEFAULTS.reconciliationWebhook,
    addressQuestionUrl: stored.addressQuestionUrl ?? DEFAULTS.addressQuestionUrl,
    claimDeadlineDays: stored.claimDeadlineDays ?? DEFAULTS.claimDeadlineDays,
    deliveryEmailEnabled: stored.deliveryEmailEnabled ?? DEFAULTS.deliveryEmailEnabled,
    retentionDays: stored.retentionDays ?? DEFAULTS.retentionDays,
    timeZone: stored.timeZone ?? DEFAULTS.timeZone,
    maskApiKeys: stored.maskApiKeys ?? DEFAULTS.maskApiKeys,
    branding: { ...DEFAULTS.branding, ...stored.branding },
    selfHosted: { ...DEFAULTS.selfHosted, ...stored.selfHosted },
    walletVerification: { ...DEFAULTS.walletVerification, ...stored.walletVerification },
    screening: { ...DEFAULTS.screening, ...stored.screening },
    fourEyes: { ...DEFAULTS.fourEyes, ...stored.fourEyes },
    rules: { ...DEFAULTS.rules, ...stored.rules },
  };
}
