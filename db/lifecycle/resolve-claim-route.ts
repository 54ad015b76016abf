import type { ClaimRecord } from '../../domain/claims/record.ts';
import {
  native,
  type EmailRoute,
  type NativeRoute,
  type PartnerRoute,
  type SkippedNetwork,
} from '../../domain/transactions/lifecycle/route.ts';
import type { NamedEntity } from '../entities/find-named-entity.ts';
import type { Queryable } from '../postgres.ts';
import { findRightfulHolder } from './find-rightful-holder.ts';
import { reachByMail } from './reach-by-mail.ts';
import { reachEntity } from './reach-entity.ts';
import { namedVasp } from './resolve-counterparty.ts';

/** The receiver of a claim and the network that carries it. */
export type ClaimRoute = NativeRoute | PartnerRoute | EmailRoute;

/** Where a claim is sent. */
interface ResolvedClaimRoute {
  counterparty: ClaimRoute | null;
  /** The entity of the named VASP, even if no network reaches it; null when the name identifies nobody. */
  entityId: string | null;
  /** The networks that do not reach the VASP, each with the reason. */
  skipped: readonly SkippedNetwork[];
}

/**
 * The originator VASP that a claim is sent to, by the first rule that applies: (1) the named VASP is the entity of a tenant;
 * (2) a partner reaches it, or (3) it has a mailbox; (4) exactly one other tenant has registered the origin of the transfer, under
 * the conditions that hold for destinations; (5) the claim names a mailbox.
 */
export async function resolveClaimRoute(db: Queryable, claim: ClaimRecord): Promise<ResolvedClaimRoute> {
  const name = claim.personal.originatorVaspName;
  const named = await namedVasp(db, name);
  if (named && named.tenantId !== claim.tenantId)
    return { ...(await reachNamed(db, claim, named)), entityId: named.entityId };
  const holder = await findOriginHolder(db, claim, named ? null : name);
  if (holder !== null) return { counterparty: native(holder, null), entityId: null, skipped: [] };
  return { ...(await reachByMail(db, mailOf(claim), { entityId: null, skipped: [] })), entityId: null };
}

async function reachNamed(db: Queryable, claim: ClaimRecord, named: NamedEntity) {
  // TRP carries no claims, whether it is open or not.
  const { counterparty, skipped } = await reachEntity(db, named, { speaksTrp: true });
  if (counterparty?.network === 'NATIVE' || counterparty?.network === 'PARTNER')
    return { counterparty, skipped };
  // The Travel Rule Protocol has no message that asks for data.
  const before: SkippedNetwork[] = counterparty ? [...skipped, 'TRP:NO_CLAIMS'] : [...skipped];
  return await reachByMail(db, mailOf(claim), { entityId: named.entityId, skipped: before });
}

/** The tenant that has registered the address from which the coins came. */
async function findOriginHolder(
  db: Queryable,
  claim: ClaimRecord,
  name: string | null,
): Promise<string | null> {
  const { origin, originNormal } = claim;
  if (origin === null || originNormal === null) return null;
  const address = {
    ...claim,
    destination: origin,
    destinationNormal: originNormal,
    destinationTag: claim.originTag,
  };
  return (await findRightfulHolder(db, address, name)).tenantId;
}

/** What a claim says of mailboxes. */
function mailOf({ tenantId, personal: { originatorVaspEmail: email, refusedMailboxes } }: ClaimRecord) {
  return { tenantId, email, refusedMailboxes };
}
