import { z } from 'zod';
import { findBlockchain } from '../blockchains.ts';
import type { VerificationRecord } from './record.ts';
import { FlowName } from './schema.ts';
import { FAILURE_CODES, STEP_KINDS, STEP_STATUSES, VERIFICATION_STATUSES } from './state.ts';
import { shown } from '../schema-fields.ts';
import { NEAR_MISSES } from './near-miss.ts';
import { satoshiDeadline } from './satoshi-window.ts';
import { MAX_BAD_TRIES } from './submission.ts';

/** The look that the tenant has chosen for the page. */
const HostedBranding = z.strictObject({
  displayName: shown.describe('The name at the head of the page; null: the name of the tenant.'),
  color: shown.describe('The colour of the page: # and six hexadecimal digits; null for none.'),
  hasLogo: z.boolean().describe('Whether there is a picture for the head of the page.'),
  hasIcon: z.boolean().describe('Whether there is a picture for the tab of the browser.'),
});
type HostedBranding = z.infer<typeof HostedBranding>;

/** A verification as the owner of the wallet sees it: what to prove and how, without the tenant's notes. */
export const HostedVerification = z
  .strictObject({
    id: z.uuid(),
    tenantName: z.string(),
    branding: HostedBranding,
    status: z.enum(VERIFICATION_STATUSES),
    failureCode: z.enum(FAILURE_CODES).nullable(),
    flow: FlowName.nullable(),
    allowedFlows: z.array(FlowName),
    asset: z.string(),
    blockchain: z.string(),
    addressFormat: shown.describe('Defines which browser wallets can sign.'),
    address: z.string(),
    satoshiFlow: z.strictObject({
      amount: shown,
      depositAddress: shown,
      deadlineAt: z.iso.datetime().nullable().describe('The latest block time of a transfer that counts.'),
      paymentUri: shown.describe(
        'The transfer as a BIP-21 or EIP-681 address, for a QR code; null on chains without such a form.',
      ),
      confirmationsNeeded: z
        .int()
        .nullable()
        .describe('Number of blocks after which the transfer counts, its own included.'),
      transfer: z
        .strictObject({ transactionHash: z.string(), confirmations: z.int() })
        .nullable()
        .describe('The transfer once it is in a block; null before, and where the owner has not sent it.'),
      nearMisses: z
        .array(z.enum(NEAR_MISSES))
        .describe('Transfers that came and were not the expected one; the test continues.'),
    }),
    triesLeft: z.int().describe('Number of wrong signatures after which the verification fails.'),
    additionalSteps: z.array(z.strictObject({ kind: z.enum(STEP_KINDS), status: z.enum(STEP_STATUSES) })),
    redirectUrl: shown,
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'HostedVerification' });
export type HostedVerification = z.infer<typeof HostedVerification>;

/** What is known of the satoshi test beside the record; null parts where the verification has none. */
export interface SatoshiProgress {
  paymentUri: string | null;
  confirmationsNeeded: number | null;
  transfer: HostedVerification['satoshiFlow']['transfer'];
}

interface HostedSurroundings {
  tenantName: string;
  branding: HostedBranding;
  satoshi: SatoshiProgress;
}

/** The response for the hosted page. */
export function viewHosted(
  record: VerificationRecord,
  { tenantName, branding, satoshi }: HostedSurroundings,
): HostedVerification {
  return {
    id: record.id,
    tenantName,
    branding,
    status: record.status,
    failureCode: record.failureCode,
    flow: record.flow,
    allowedFlows: record.allowedFlows,
    asset: record.asset,
    blockchain: record.blockchainKey,
    addressFormat: findBlockchain(record.blockchainKey)?.addressFormat ?? null,
    address: record.address,
    satoshiFlow: viewSatoshiFlow(record, satoshi),
    triesLeft: Math.max(0, MAX_BAD_TRIES - record.badTries),
    additionalSteps: record.steps.map(({ kind, status }) => ({ kind, status })),
    redirectUrl: record.personal.redirectUrl,
    expiresAt: record.expiresAt.toISOString(),
  };
}

function viewSatoshiFlow(
  record: VerificationRecord,
  satoshi: SatoshiProgress,
): HostedVerification['satoshiFlow'] {
  const { satoshiAmount: amount, satoshiDepositAddress: depositAddress } = record;
  const deadlineAt = depositAddress === null ? null : satoshiDeadline(record).toISOString();
  const nearMisses = NEAR_MISSES.filter((miss) => record.warnings.includes(miss));
  return { amount, depositAddress, deadlineAt, ...satoshi, nearMisses };
}

/** The text for the wallet to sign. */
export const HostedMessage = z
  .strictObject({ message: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: 'HostedMessage' });
