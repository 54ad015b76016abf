import {
  getByPortalToken,
  type ClaimLink,
  type MessageLink,
  type OpenPortalLink,
} from '../../db/lifecycle/find-portal-link.ts';
import { isSessionOf } from '../../db/portal/portal-codes.ts';
import { requireActive } from '../../db/tenants/require-active.ts';
import { DomainError, notFound } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';

/** Both come in headers because proxies write URLs with their query to logs. */
const TOKEN_HEADER = 'X-Portal-Token';
const SESSION_HEADER = 'X-Portal-Session';

interface WithHeaders {
  header(name: string): string | undefined;
}

/** The link of the request's token. Throws not_found if it is absent or wrong, tenant_suspended. */
export async function openPortalLink({ db }: Deps, request: WithHeaders): Promise<OpenPortalLink> {
  const token = request.header(TOKEN_HEADER);
  if (token === undefined) throw notFound('link');
  const open = await getByPortalToken(db, token);
  await requireActive(db.pool, open.link.tenantId);
  return open;
}

/** Like openPortalLink, for whoever has given the code, too. Throws unauthenticated without a session that counts. */
async function openPortalSession(deps: Deps, request: WithHeaders): Promise<OpenPortalLink> {
  const open = await openPortalLink(deps, request);
  const session = request.header(SESSION_HEADER);
  const known = { linkId: open.link.id, session: session ?? '' };
  if (session !== undefined && (await isSessionOf(deps.db.pool, known, new Date()))) return open;
  throw new DomainError(
    'unauthenticated',
    'Ask for a code and give it: an hour after the last one it is over.',
  );
}

/** Like openPortalSession, for a link to a message. Throws not_found for one to a claim. */
export async function openMessageSession(deps: Deps, request: WithHeaders): Promise<MessageLink> {
  const open = await openPortalSession(deps, request);
  if (open.kind !== 'TRANSACTION') throw notFound('link');
  return open;
}

/** Like openPortalSession, for a link to a claim. Throws not_found for one to a message. */
export async function openClaimSession(deps: Deps, request: WithHeaders): Promise<ClaimLink> {
  const open = await openPortalSession(deps, request);
  if (open.kind !== 'CLAIM') throw notFound('link');
  return open;
}
