import type { ClaimRecord } from '../../domain/claims/record.ts';
import type { Queryable } from '../postgres.ts';
import { findRightfulHolder } from './find-rightful-holder.ts';
import { namedVasp, native, type RouteResolution } from './resolve-counterparty.ts';

/**
 * The originator VASP that a claim is sent to, by the first rule that applies: (1) the named VASP is the entity of a tenant;
 * (2) exactly one other tenant has registered the origin of the transfer, under the conditions that hold for destinations.
 * `entityId`: the named VASP is in the directory, even if no network reaches it.
 */
export async function resolveClaimRoute(
  db: Queryable,
  claim: ClaimRecord,
): Promise<Pick<RouteResolution, 'counterparty' | 'entityId'>> {
  const name = claim.personal.originatorVaspName;
  const named = await namedVasp(db, name);
  const isOwnName = named?.tenantId === claim.tenantId;
  if (named && !isOwnName) {
    const { entityId, tenantId, testBehaviour } = named;
    // The networks that reach entities outside the deployment go here.
    return { counterparty: tenantId === null ? null : native(tenantId, testBehaviour), entityId };
  }
  const { origin, originNormal } = claim;
  if (origin === null || originNormal === null) return { counterparty: null, entityId: null };
  const address = {
    ...claim,
    destination: origin,
    destinationNormal: originNormal,
    destinationTag: claim.originTag,
  };
  const { tenantId } = await findRightfulHolder(db, address, isOwnName ? null : name);
  return { counterparty: tenantId === null ? null : native(tenantId, null), entityId: null };
}
