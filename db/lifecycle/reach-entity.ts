import {
  native,
  type RoutedCounterparty,
  type SkippedNetwork,
  type TrpRoute,
} from '../../domain/transactions/lifecycle/route.ts';
import { isBelow } from '../../domain/entities/mailbox.ts';
import { isNamedLike } from '../../domain/entities/name-likeness.ts';
import type { OpenNetworks } from '../database.ts';
import type { NamedEntity } from '../entities/find-named-entity.ts';
import { travelTokenIn, travelUrl } from '../../domain/travel-address/travel-url.ts';
import { findGateway } from '../gateways/find-gateway.ts';
import { findTravelDestination } from '../trp/travel-tokens.ts';
import { findPartnerGateway } from '../gateways/find-partner-gateway.ts';
import type { Queryable } from '../postgres.ts';
import { mailDomainsOf } from './reach-by-mail.ts';

/** How an institution is reached; what was tried before is told with the route, and where there is none. */
export interface ReachedEntity {
  counterparty: RoutedCounterparty | null;
  skipped: readonly SkippedNetwork[];
}

/** The first network that reaches an institution: as a tenant of this deployment, then by a partner, then by TRP. */
export async function reachEntity(
  db: Queryable,
  entity: NamedEntity,
  { speaksTrp }: OpenNetworks,
): Promise<ReachedEntity> {
  const { entityId, tenantId, testBehaviour, networks, travelAddress } = entity;
  if (tenantId !== null) return { counterparty: native(tenantId, testBehaviour), skipped: [] };
  const gatewayId = await findPartnerGateway(db, networks);
  const unreached: SkippedNetwork[] = ['NATIVE:NO_TENANT'];
  if (gatewayId !== null)
    return {
      counterparty: { network: 'PARTNER', tenantId: gatewayId, entityId, skipped: unreached },
      skipped: unreached,
    };
  const skipped: SkippedNetwork[] = [...unreached, 'PARTNER:NO_PARTNER'];
  if (travelAddress === null || !travelUrl(travelAddress))
    return { counterparty: null, skipped: [...skipped, 'TRP:NO_TRAVEL_ADDRESS'] };
  if (!speaksTrp) return { counterparty: null, skipped: [...skipped, 'TRP:CLOSED'] };
  return { counterparty: await trpRoute(db, { entityId, travelAddress, skipped }), skipped };
}

interface TravelAddressInput {
  travelAddress: string;
  /** The name that the message gives to its VASP; null where it gives none, or the sender's own. */
  name: string | null;
  /** The VASP of that name, which is no tenant; null where the directory has none. */
  named: NamedEntity | null;
  senderId: string;
  networks: OpenNetworks;
}

/**
 * The route to the travel address that a message names. One of this deployment is the address of a wallet of a tenant, which
 * gets the message at once. The customer gives the travel address: where it does not fit the named VASP, the route says so. Null
 * where it leads to another deployment and TRP is closed here: then the message is routed as if it named none.
 */
export async function reachTravelAddress(
  db: Queryable,
  { travelAddress, name, named, senderId, networks }: TravelAddressInput,
): Promise<RouteResult | null> {
  const token = travelTokenIn(travelAddress);
  const own = token === undefined ? undefined : await findTravelDestination(db, token);
  if (own?.tenantId === senderId)
    return { counterparty: null, entityId: named?.entityId ?? null, skipped: ['TRP:OWN_ADDRESS'] };
  if (own) {
    const fits =
      named === null && (name === null || isNamedLike(name, await namesOfTenant(db, own.tenantId)));
    // The message is screened with the tenant that would get it.
    return { counterparty: marked(native(own.tenantId, null), fits), entityId: null, skipped: [] };
  }
  if (!networks.speaksTrp) return null;
  const entityId = named?.entityId ?? null;
  const route = await trpRoute(db, { entityId, travelAddress, skipped: [] });
  return {
    counterparty: marked(route, !named || (await isHostOf(db, named, travelAddress))),
    entityId,
    skipped: [],
  };
}

interface RouteResult extends ReachedEntity {
  /** The VASP with which the message is screened; null for the tenant that gets it. */
  entityId: string | null;
}

function marked<T extends RoutedCounterparty>(route: T, fits: boolean): T {
  return fits ? route : { ...route, leadsElsewhere: true };
}

/** Whether the directory knows the host of a travel address as one of the institution: by its own travel address, or by its domains. */
async function isHostOf(
  db: Queryable,
  { entityId, travelAddress: known }: NamedEntity,
  travelAddress: string,
): Promise<boolean> {
  const url = travelUrl(travelAddress);
  if (!url) return false;
  if (known !== null && travelUrl(known)?.host === url.host) return true;
  return isBelow(url.hostname, await mailDomainsOf(db, entityId));
}

/** Folded names of a tenant: its own and its aliases. */
async function namesOfTenant(db: Queryable, tenantId: string): Promise<string[]> {
  const { rows } = await db.query<{ folded: string }>({
    name: 'names-of-tenant',
    text: `select n.folded from tenants t join entity_names n on n.entity_id = t.entity_id
           where t.id = $1 and n.kind <> 'LEGAL' limit 100`,
    values: [tenantId],
  });
  return rows.map(({ folded }) => folded);
}

async function trpRoute(
  db: Queryable,
  route: Pick<TrpRoute, 'entityId' | 'travelAddress' | 'skipped'>,
): Promise<TrpRoute> {
  return { network: 'TRP', tenantId: await findGateway(db, 'TRP'), ...route };
}
