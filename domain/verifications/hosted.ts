import { z } from 'zod';
import { findBlockchain } from '../blockchains.ts';
import type { VerificationRecord } from './record.ts';
import { FlowName } from './schema.ts';
import { FAILURE_CODES, STEP_KINDS, STEP_STATUSES, VERIFICATION_STATUSES } from './state.ts';
import { shown } from '../schema-fields.ts';

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
    satoshiFlow: z.strictObject({ amount: shown, depositAddress: shown }),
    additionalSteps: z.array(z.strictObject({ kind: z.enum(STEP_KINDS), status: z.enum(STEP_STATUSES) })),
    redirectUrl: shown,
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'HostedVerification' });
export type HostedVerification = z.infer<typeof HostedVerification>;

/** The response for the hosted page. */
export function viewHosted(
  record: VerificationRecord,
  { tenantName, branding }: { tenantName: string; branding: HostedBranding },
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
    satoshiFlow: { amount: record.satoshiAmount, depositAddress: record.satoshiDepositAddress },
    additionalSteps: record.steps.map(({ kind, status }) => ({ kind, status })),
    redirectUrl: record.personal.redirectUrl,
    expiresAt: record.expiresAt.toISOString(),
  };
}

/** The text for the wallet to sign. */
export const HostedMessage = z
  .strictObject({ message: z.string(), expiresAt: z.iso.datetime() })
  .meta({ id: 'HostedMessage' });
