import { invalidField } from '../errors.ts';
import type { ScreeningSettings } from '../sanctions-screening/settings.ts';
import type { StoredBranding } from './branding.ts';
import { settingsOf, type PatchSettingsBody, type StoredSettings } from './settings.ts';

/** Applies a patch: null returns a setting to its default; for threshold and age of a proof it means "no limit". */
export function patchSettings(stored: StoredSettings, patch: PatchSettingsBody): StoredSettings {
  const { selfHosted, walletVerification, screening, fourEyes, rules, branding, ...single } = patch;
  const next = patchGroup<StoredSettings>(stored, single);
  const limits = patchSelfHosted(stored.selfHosted, selfHosted);
  if (limits) next.selfHosted = limits;
  if (walletVerification) next.walletVerification = patchGroup(stored.walletVerification, walletVerification);
  if (screening) {
    next.screening = patchGroup(stored.screening, screening);
    requireThresholdsInOrder(settingsOf(next).screening);
  }
  if (fourEyes) next.fourEyes = patchGroup(stored.fourEyes, fourEyes);
  if (rules) next.rules = patchGroup(stored.rules, rules);
  if (branding) next.branding = patchGroup<StoredBranding>(stored.branding, branding);
  return next;
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
