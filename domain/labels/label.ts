import type { EntityType } from '../entity-types.ts';

/** What somebody has published about an address. */
interface LabelRecord {
  /** The chain it was seen on, by the name that callers get to see; null when it holds for any. */
  blockchain: string | null;
  label: string;
  type: EntityType;
  /** Whose it is, by the id of the source that knows a name for it. */
  entityId: string | null;
  entityName: string | null;
  /** 0..100: how sure the publisher can be. */
  confidence: number;
  /** `YYYY-MM-DD`. */
  lastModified: string | null;
  /** Where it was published. */
  reference: string | null;
}

/** A label on its way into the table. */
export interface NewLabel extends LabelRecord {
  addressKey: string;
}

/** A stored label with the import that it came by. */
export interface FoundLabel extends LabelRecord {
  source: string;
}

const CUSTOMARY = 50;

/** What the words that TagPacks use are worth (github.com/graphsense/graphsense-tagpack-tool, confidence.csv). */
const CONFIDENCE: Readonly<Record<string, number>> = {
  ownership: 100,
  manual_transaction: 100,
  authority_data: 100,
  service_data: 100,
  ledger_immanent: 95,
  service_api: 90,
  trusted_provider: 90,
  forensic: 85,
  override: 85,
  web_crawl: 70,
  unknown: CUSTOMARY,
  untrusted_transaction: 40,
  heuristic: 40,
};

/** A word or a number of 0..100; undefined when it is neither. Nothing is 50. */
export function confidenceOf(given: string | null): number | undefined {
  if (given === null) return CUSTOMARY;
  if (/^(?:100|\d{1,2})$/.test(given)) return Number(given);
  return Object.hasOwn(CONFIDENCE, given) ? CONFIDENCE[given] : undefined;
}
