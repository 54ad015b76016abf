import { mailboxOf } from '../../domain/entities/mailbox.ts';
import type { EmailRoute, SkippedNetwork } from '../../domain/transactions/lifecycle/route.ts';
import { findGateway } from '../gateways/find-gateway.ts';
import type { Queryable } from '../postgres.ts';
import { getTenantSettings } from '../tenants/get-tenant-settings.ts';

interface ReachedByMail {
  counterparty: EmailRoute | null;
  /** Why no mailbox gets the message, or the networks before. */
  skipped: readonly SkippedNetwork[];
}

/** A message or a claim, by what it says of mailboxes. */
interface ToBeMailed {
  tenantId: string;
  /** The mailbox that the tenant names. */
  email: string | null | undefined;
  /** Mailboxes that a mail server has refused. */
  refusedMailboxes: readonly string[] | undefined;
}

/**
 * The mailbox of a VASP that no network reaches, where the tenant delivers by e-mail: the one that the tenant names, else the
 * one in the directory. A mailbox that a mail server has refused is not tried again.
 */
export async function reachByMail(
  db: Queryable,
  { tenantId, email, refusedMailboxes: refused = [] }: ToBeMailed,
  { entityId, skipped }: { entityId: string | null; skipped: readonly SkippedNetwork[] },
): Promise<ReachedByMail> {
  const without = (reason: SkippedNetwork): ReachedByMail => ({
    counterparty: null,
    skipped: [...skipped, reason],
  });
  const named = mailboxOf(email ?? null);
  if (named === null && entityId === null) return without('EMAIL:NO_MAILBOX');
  if (!(await getTenantSettings(db, tenantId)).deliveryEmailEnabled) return without('EMAIL:SWITCHED_OFF');
  const listed = entityId === null ? null : mailboxOf(await mailboxInDirectory(db, entityId));
  const known = [named, listed].filter((address) => address !== null);
  if (known.length === 0) return without('EMAIL:NO_MAILBOX');
  const address = known.find((candidate) => !refused.includes(candidate));
  if (address === undefined) return without('EMAIL:REFUSED');
  const tenant = await findGateway(db, 'EMAIL');
  return { counterparty: { network: 'EMAIL', tenantId: tenant, entityId, address, skipped }, skipped };
}

async function mailboxInDirectory(db: Queryable, entityId: string): Promise<string | null> {
  const { rows } = await db.query<{ email: string | null }>({
    name: 'mailbox-of-entity',
    text: 'select email from entities where id = $1',
    values: [entityId],
  });
  return rows[0]?.email ?? null;
}

/** The domains of an institution's mailboxes in the directory; none for one that is not there. */
export async function mailDomainsOf(db: Queryable, entityId: string | null): Promise<readonly string[]> {
  if (entityId === null) return [];
  const { rows } = await db.query<{ email_domains: string[] }>({
    name: 'mail-domains-of-entity',
    text: 'select email_domains from entities where id = $1',
    values: [entityId],
  });
  return rows[0]?.email_domains ?? [];
}
