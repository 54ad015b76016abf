import { z } from 'zod';
import { NOT_ASKED, type NotAsked } from '../../aml/not-asked.ts';
import { findBlockchain } from '../../blockchains.ts';
import { ENTITY_TYPES } from '../../entity-types.ts';
import { SanctionsScreening } from '../../sanctions-screening/schema.ts';
import type { TransactionRecord } from '../record.ts';
import { HOLDS } from '../state.ts';

const text = z.string().nullable();
const SEVERITIES = ['low', 'medium', 'high'] as const;

const OtherWallet = z.strictObject({
  role: z.enum(['origin', 'destination']),
  blockchain: z.string(),
  address: z.string(),
});
export type OtherWallet = z.infer<typeof OtherWallet>;

const TransactionAmlFinding = z
  .strictObject({
    checkId: z.uuid().describe('Its entry in the AML history.'),
    role: z.enum(['origin', 'destination']),
    provider: z.string(),
    status: z.string(),
    reason: text.describe('Why there is no score.'),
    riskScore: z.number().nullable(),
    riskSeverity: z.enum(SEVERITIES).nullable(),
    sanctioned: z.boolean().nullable(),
    categories: z.array(z.enum(ENTITY_TYPES)),
    fetchedAt: z.iso.datetime(),
  })
  .meta({ id: 'TransactionAmlFinding' });
export type TransactionAmlFinding = z.infer<typeof TransactionAmlFinding>;

const WalletFinding = z
  .strictObject({
    checkId: z
      .uuid()
      .nullable()
      .describe('Its entry in the Wallet Intelligence history; null when only own data was used.'),
    classification: z.enum(['CUSTODIAL', 'NON_CUSTODIAL', 'UNKNOWN']),
    confidence: z.number(),
    source: text,
    reason: text,
    entityName: text,
    agenticDetected: z.boolean().nullable(),
    checkedAt: z.iso.datetime(),
  })
  .meta({ id: 'TransactionWalletFinding' });
export type WalletFinding = z.infer<typeof WalletFinding>;

const CounterpartyFinding = z
  .strictObject({
    entityId: z.uuid(),
    name: z.string(),
    type: z.enum(ENTITY_TYPES),
    countries: z.array(z.string()),
    inNetwork: z.boolean(),
    riskSeverity: z.enum(SEVERITIES),
    policy: z.enum(['ALLOW', 'REVIEW', 'BLOCK']).describe("The tenant's own policy."),
  })
  .meta({ id: 'TransactionCounterpartyFinding' });
export type CounterpartyFinding = z.infer<typeof CounterpartyFinding>;

/** The findings about a transfer at one time, with sources, list versions and times. */
export const TransactionScreening = z
  .strictObject({
    id: z.uuid(),
    recordVersion: z.int().describe('The version of the transaction that was screened.'),
    screenedAt: z.iso.datetime(),
    sanctions: z.strictObject({
      nameMatch: z
        .boolean()
        .nullable()
        .describe('Null when neither the originator nor the beneficiary has a name that is no placeholder.'),
      addressMatch: z.boolean(),
      subjects: z.array(
        z.strictObject({
          role: z.string().describe('`originator`, `destination`, …'),
          screening: SanctionsScreening.nullable().describe('Null for a name without a letter or digit.'),
          isReleased: z
            .boolean()
            .describe(
              'A reviewer of this transaction had let every match pass that makes it `sanctioned`, before this screening: ' +
                'they neither hold it nor count for the rules.',
            ),
        }),
      ),
    }),
    otherWallet: OtherWallet.nullable().describe('The wallet on the other side, as far as it is known.'),
    aml: TransactionAmlFinding.nullable().describe('Null when no provider was asked; `notAsked` says why.'),
    wallet: WalletFinding.nullable(),
    notAsked: z
      .enum(NOT_ASKED)
      .nullable()
      .describe(
        'Why no AML provider was asked; without a known address and blockchain Wallet Intelligence was not asked either.',
      ),
    counterparty: CounterpartyFinding.nullable().describe('Null when it is unknown.'),
  })
  .meta({ id: 'TransactionScreening' });
export type TransactionScreening = z.infer<typeof TransactionScreening>;

/** The file that a reviewer reads about a transfer. */
export const ReviewFile = z
  .strictObject({
    version: z
      .int()
      .describe(
        'The version of the transaction that this is known of: what a review of it sends as `version`.',
      ),
    hold: z.enum(HOLDS).nullable().describe('Why it is held; null when it is not.'),
    screening: TransactionScreening.nullable().describe(
      'The latest one; null before the first, and while personal data is hidden: it is screened at its release.',
    ),
    reviews: z
      .array(
        z.strictObject({
          at: z.iso.datetime(),
          decision: z.enum(['PROCEED', 'BLOCK']),
          reason: z.string(),
          version: z
            .int()
            .nullable()
            .describe('The version of the transaction that was read; null if not given.'),
          isProposal: z.boolean().describe('A second reviewer had to agree.'),
        }),
      )
      .describe('Earlier decisions with their reasons, the oldest first.'),
  })
  .meta({ id: 'TransactionReviewFile' });
export type ReviewFile = z.infer<typeof ReviewFile>;

/** The wallet on the other side of a transfer; null if the record lacks its chain or address. */
export function otherWallet(record: TransactionRecord): OtherWallet | null {
  const { direction, blockchainKey, origin, destination } = record;
  const [role, address] =
    direction === 'OUTGOING' ? (['destination', destination] as const) : (['origin', origin] as const);
  return blockchainKey && address ? { role, blockchain: blockchainKey, address } : null;
}

/** Why no AML provider is asked about a transfer; null where `provider`, the tenant's, is. */
export function notAskedOf(record: TransactionRecord, provider: string | null): NotAsked | null {
  const { direction, blockchainKey, origin, destination } = record;
  if (!(direction === 'OUTGOING' ? destination : origin)) return 'NO_ADDRESS';
  if (!blockchainKey) return 'NO_CHAIN';
  if (!findBlockchain(blockchainKey)) return 'UNKNOWN_CHAIN';
  return provider === null ? 'NO_PROVIDER' : null;
}

/** Longer than the day after which an unrouted message is routed again. */
const FRESH_MS = 7 * 24 * 3_600_000;

/**
 * Whether the previous findings about the wallet can be used again: each provider request may cost money. Those of a message that was
 * sent can, whoever was asked and whether there was an answer: nothing depends on another one.
 */
export function servesAgain(
  previous: TransactionScreening | null,
  record: TransactionRecord,
  provider: string | null,
  now: Date,
): boolean {
  if (!previous) return false;
  const wallet = otherWallet(record);
  const isSame =
    previous.otherWallet?.blockchain === wallet?.blockchain &&
    previous.otherWallet?.address === wallet?.address;
  const { direction, status, pairId } = record;
  const isSent =
    direction === 'OUTGOING' && (status === 'DELIVERED' || (status === 'CONFIRMED' && pairId !== null));
  if (!isSame || isSent) return isSame;
  const isAskedBefore = (previous.aml?.provider ?? null) === provider;
  return isAskedBefore && now.getTime() - obtainedAt(previous) < FRESH_MS;
}

/**
 * When the older of the findings about the wallet was obtained, in milliseconds; 0 where there are none. A screening that
 * takes them over from an earlier one does not renew them.
 */
function obtainedAt({ aml, wallet }: TransactionScreening): number {
  const times = [aml?.fetchedAt, wallet?.checkedAt].filter((time) => time !== undefined);
  return times.length === 0 ? 0 : Math.min(...times.map((time) => Date.parse(time)));
}
