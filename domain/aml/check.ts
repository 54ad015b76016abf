import { z } from 'zod';
import { CHECK_KINDS, DIRECTIONS, findingFields, type AmlSubject, type AmlFinding } from './finding.ts';
import { PROVIDERS, type ProviderCode } from './service-key.ts';
import { SEVERITIES, severityOf } from './severity.ts';

/** A stored AML check. */
export interface CheckRecord {
  id: string;
  provider: ProviderCode;
  subject: AmlSubject;
  finding: AmlFinding;
  providerRef: string | null;
  /** Total credits spent on the check. */
  credits: number;
  /** The request was repeated, because the first answer was lost before it was stored. */
  repeated: boolean;
  recheckOf: string | null;
  createdAt: Date;
  fetchedAt: Date;
  expiresAt: Date;
}

/** A check with the way it was obtained for this request. */
export interface DeliveredFinding {
  check: CheckRecord;
  /** The check was stored before this request. */
  isCached: boolean;
  /** Credits spent on this request. */
  spent: number;
  /** The check has expired, and is returned because the provider cannot be reached. */
  isStale: boolean;
}

const text = z.string().nullable();

export const AmlCheck = z
  .strictObject({
    id: z.uuid().describe('Its entry in the history.'),
    provider: z.enum(PROVIDERS),
    type: z.enum(CHECK_KINDS),
    blockchain: z.string(),
    address: text,
    txHash: text,
    direction: z.enum(DIRECTIONS).nullable(),
    contextAddress: text,
    ...findingFields,
    riskSeverity: z
      .enum(SEVERITIES)
      .nullable()
      .describe('low below 34, medium below 67, else high; null when there is no score, never low.'),
    providerRef: text.describe("The provider's own id of the check."),
    recheckOf: z.uuid().nullable().describe('The earlier history entry that this check repeats.'),
    fetchedAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('Until then the check is returned for further requests.'),
    stale: z.boolean().describe('The check has expired, and the provider cannot be reached.'),
    cost: z.strictObject({
      credits: z.int().describe('Credits spent on this request.'),
      cached: z.boolean(),
      repeated: z
        .boolean()
        .describe('An earlier answer was lost, so that the provider may have charged twice.'),
    }),
  })
  .meta({ id: 'AmlCheck' });

export function viewCheck({ check, isCached, isStale, spent }: DeliveredFinding): z.infer<typeof AmlCheck> {
  const { kind, blockchain, value, direction, contextAddress } = check.subject;
  return {
    id: check.id,
    provider: check.provider,
    type: kind,
    blockchain,
    address: kind === 'wallet' ? value : null,
    txHash: kind === 'transaction' ? value : null,
    direction,
    contextAddress,
    ...check.finding,
    riskSeverity: severityOf(check.finding.riskScore),
    providerRef: check.providerRef,
    recheckOf: check.recheckOf,
    fetchedAt: check.fetchedAt.toISOString(),
    expiresAt: check.expiresAt.toISOString(),
    stale: isStale,
    cost: { credits: spent, cached: isCached, repeated: check.repeated },
  };
}
