import { changed, webhookOf, withoutAbsent } from '../tenants/patch-tenant.ts';
import type { PartnerRecord } from './partner.ts';
import type { PatchPartnerBody } from './schema.ts';

/** Applies a partner's changes to its profile: a value sets a field, null clears it, an absent field stays. */
export function patchPartner(partner: PartnerRecord, patch: PatchPartnerBody, now: Date): PartnerRecord {
  const { webhookUrl, ...profile } = withoutAbsent(patch);
  return changed(partner, { ...partner, ...profile, ...webhookOf(webhookUrl) }, now);
}
