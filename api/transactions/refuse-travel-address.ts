import { invalidField } from '../../domain/errors.ts';
import { decodeTravelAddress } from '../../domain/travel-address/travel-address.ts';
import type { Settings } from '../../process/settings.ts';

interface WithVaspInfo {
  vaspInfo?: { beneficiaryTravelAddress?: string | null | undefined } | undefined;
}

/** Throws validation_failed for a travel address that is mistyped, or leads to an address that must not be called. */
export function refuseTravelAddress({ vaspInfo }: WithVaspInfo, settings: Settings): void {
  const given = vaspInfo?.beneficiaryTravelAddress;
  if (given === undefined || given === null) return;
  const decoded = decodeTravelAddress(given, travelAddressRules(settings));
  if (!decoded.ok) throw invalidField('/vaspInfo/beneficiaryTravelAddress', decoded.code, decoded.message);
}

/** Which travel addresses may be called: the rules of webhooks. */
export function travelAddressRules({ ENVIRONMENT, WEBHOOK_ALLOWED_HOSTS }: Settings) {
  return { environment: ENVIRONMENT, allowedHosts: WEBHOOK_ALLOWED_HOSTS };
}
