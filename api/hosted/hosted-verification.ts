import { requireActive } from '../../db/tenants/require-active.ts';
import { getByPageToken } from '../../db/verifications/page-token.ts';
import type { OpenVerification } from '../../db/verifications/row.ts';
import { getTenantSettings } from '../../db/tenants/get-tenant-settings.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { notFound } from '../../domain/errors.ts';
import { isPicture } from '../../domain/tenants/branding.ts';
import {
  viewHosted,
  type HostedVerification,
  type SatoshiProgress,
} from '../../domain/verifications/hosted.ts';
import { findSeenTransfer } from '../../db/chain-scan/find-seen-transfer.ts';
import { findBlockchain } from '../../domain/blockchains.ts';
import { neededDepth } from '../../domain/chain-scan/scan-chain.ts';
import type { VerificationRecord } from '../../domain/verifications/record.ts';
import { paymentUri } from '../../domain/verifications/satoshi/payment-uri.ts';
import type { Deps } from '../deps.ts';

/** The token comes in a header because proxies write URLs with their query to logs. */
const TOKEN_HEADER = 'X-Verification-Token';

interface WithHeaders {
  header(name: string): string | undefined;
}

/** Reads the verification of the request's page token. Throws not_found if it is absent or wrong, tenant_suspended. */
export async function openHosted({ db }: Deps, request: WithHeaders): Promise<OpenVerification> {
  const token = request.header(TOKEN_HEADER);
  if (token === undefined) throw notFound('verification');
  const open = await getByPageToken(db, token);
  await requireActive(db.pool, open.record.tenantId);
  return open;
}

/** The view of a verification for the hosted page, with the name and the look of its tenant. */
export async function showHosted(deps: Deps, { record }: OpenVerification): Promise<HostedVerification> {
  const { db } = deps;
  const { tenant } = await getTenant(db, record.tenantId);
  const { displayName, color, logo, icon } = (await getTenantSettings(db.pool, record.tenantId)).branding;
  const branding = { displayName, color, hasLogo: isPicture(logo), hasIcon: isPicture(icon) };
  const satoshi = await satoshiProgress(deps, record);
  return viewHosted(record, { tenantName: tenant.name, branding, satoshi });
}

const NO_PROGRESS: SatoshiProgress = { paymentUri: null, confirmationsNeeded: null, transfer: null };

async function satoshiProgress({ db, settings }: Deps, record: VerificationRecord): Promise<SatoshiProgress> {
  const { satoshiAmount: amount, satoshiDepositAddress: depositAddress, asset } = record;
  const chain = settings.chains.find(({ name }) => name === record.blockchainKey);
  const blockchain = findBlockchain(record.blockchainKey);
  if (!chain || !blockchain || amount === null || depositAddress === null) return NO_PROGRESS;
  const transfer = await findSeenTransfer(db.pool, record.tenantId, record.id);
  return {
    paymentUri: paymentUri({ blockchain, chain, asset, amount, depositAddress }),
    confirmationsNeeded: neededDepth(chain),
    transfer: transfer ?? null,
  };
}
