import { getByPageToken } from '../../db/verifications/page-token.ts';
import type { OpenVerification } from '../../db/verifications/row.ts';
import { getTenant } from '../../db/tenants/get-tenant.ts';
import { notFound } from '../../domain/errors.ts';
import { viewHosted, type HostedVerification } from '../../domain/verifications/hosted.ts';
import type { Deps } from '../deps.ts';

/** A header, not a query: addresses end up in logs. */
const TOKEN_HEADER = 'X-Verification-Token';

interface WithHeaders {
  header(name: string): string | undefined;
}

/** The verification that the request's token opens. Throws not_found. */
export async function openHosted({ db }: Deps, request: WithHeaders): Promise<OpenVerification> {
  const token = request.header(TOKEN_HEADER);
  if (token === undefined) throw notFound('verification');
  return await getByPageToken(db, token);
}

/** The verification as the hosted page shows it. */
export async function showHosted({ db }: Deps, { record }: OpenVerification): Promise<HostedVerification> {
  const { tenant } = await getTenant(db, record.tenantId);
  return viewHosted(record, tenant.name);
}
