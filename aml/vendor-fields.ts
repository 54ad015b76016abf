import { z } from 'zod';
import { riskOfType } from '../domain/aml/type-risk.ts';
import type { AmlExposure, AmlFinding } from '../domain/aml/finding.ts';
import { severityOf } from '../domain/aml/severity.ts';
import { typeOfWord } from '../domain/aml/type-maps.ts';

const LONGEST_TEXT = 300;
const MOST_ITEMS = 500;

/** Cuts a vendor's text and removes what our responses must not contain: control characters and lone surrogates. */
export function plainText(text: string): string {
  return text
    .slice(0, LONGEST_TEXT)
    .replace(/[\p{Cc}\p{Cs}]/gu, ' ')
    .trim();
}

export const vendorText = z.string().transform((text) => plainText(text) || null);

/** An id of 1 to 200 printable ASCII characters, given as text or as a number; otherwise null. */
export const vendorId = z
  .union([z.string(), z.int()])
  .transform((id) => (/^[!-~]{1,200}$/.test(String(id)) ? String(id) : null));

/** 0 to 1. */
export const share = z.number().min(0).max(1);

/** The address of a report; null unless it is https. */
export const reportUrl = z
  .string()
  .transform((url) => (/^https:\/\/[!-~]{1,2000}$/.test(url) && URL.canParse(url) ? url : null));

const CategoryShares = z.record(z.string(), share);
type CategoryShares = z.infer<typeof CategoryShares>;

/** Shares by name. Some answers about an address separate received from sent funds. PHP writes an empty object as []. */
export const Signals = z
  .union([
    z.array(z.never()).max(0),
    z.strictObject({ received: CategoryShares.optional(), sent: CategoryShares.optional() }),
    CategoryShares,
  ])
  .nullish()
  .transform((given) => given ?? {});

type VendorValue = z.output<typeof Signals>;
type SignalProvider = 'amlbot' | 'crystal';

/** Reads the signals to show, the exposures that they mean, and the terms that are not mapped to an entity type. */
export function readSignals(
  provider: SignalProvider,
  given: VendorValue,
): Pick<AmlFinding, 'signals' | 'exposures'> & { unmappedTerms: string[] } {
  const signals = partsOf(given)
    .flatMap(([direction, shares]) =>
      Object.entries(shares).map(([name, value]) => ({
        name: plainText(name),
        share: value,
        direction,
      })),
    )
    .slice(0, MOST_ITEMS);
  const typed = signals.map((signal) => ({ ...signal, ...typeOfWord(provider, signal.name) }));
  return {
    signals,
    exposures: typed
      .filter((signal) => signal.share > 0)
      .map(({ type, share: part, direction }) => exposureOf({ type, share: part, direction })),
    unmappedTerms: typed.filter(({ isKnown }) => !isKnown).map(({ name }) => name),
  };
}

export function exposureOf(known: Partial<AmlExposure> & Pick<AmlExposure, 'type'>): AmlExposure {
  return {
    entityId: null,
    entityName: null,
    riskSeverity: severityOf(riskOfType(known.type)),
    direction: null,
    depth: null,
    hops: null,
    share: null,
    amount: null,
    amountUsd: null,
    ...known,
  };
}

function partsOf(given: VendorValue): [AmlExposure['direction'], CategoryShares][] {
  if (Array.isArray(given)) return [];
  const { received, sent, ...flat } = given;
  if (typeof received === 'object' || typeof sent === 'object') {
    return [
      ['incoming', sharesOf(received)],
      ['outgoing', sharesOf(sent)],
    ];
  }
  return [[null, flat as CategoryShares]];
}

function sharesOf(side: CategoryShares | number | undefined): CategoryShares {
  return typeof side === 'object' ? side : {};
}
