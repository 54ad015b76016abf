import type { TestBehaviour } from '../../tenants/test-vasps.ts';

/** The receiver of a message and the network that carries it. */
export type RoutedCounterparty = NativeRoute | PartnerRoute | TrpRoute | EmailRoute;

interface AnyRoute {
  /** The tenant that gets the record of the message: the VASP itself, or the gateway that stands for it. */
  tenantId: string;
  /** The networks that come before this one in the order of routing, each with the reason why it does not reach the VASP. */
  skipped?: readonly SkippedNetwork[];
  /** Set where nothing shows that the travel address of the message is that of the VASP which the message names. */
  leadsElsewhere?: true;
}

/** A tenant of this deployment. */
export interface NativeRoute extends AnyRoute {
  network: 'NATIVE';
  /** How a test VASP responds; only for one. */
  testBehaviour?: TestBehaviour;
}

/** A VASP that a partner reaches. */
export interface PartnerRoute extends AnyRoute {
  network: 'PARTNER';
  entityId: string;
}

/** A VASP with a travel address. */
export interface TrpRoute extends AnyRoute {
  network: 'TRP';
  /** Null where the travel address is all that is known of it. */
  entityId: string | null;
  travelAddress: string;
}

/** A VASP on no network, that gets a link by e-mail. */
export interface EmailRoute extends AnyRoute {
  network: 'EMAIL';
  /** Null for a VASP that is in no directory. */
  entityId: string | null;
  /** The mailbox. */
  address: string;
}

/**
 * The networks that do not reach a VASP, each with a reason. NO_HOLDER is one word for everything that keeps a registered
 * address from leading to a tenant, so that it tells nothing of whoever has registered it.
 */
export const SKIPPED_NETWORKS = [
  'NATIVE:NO_TENANT',
  'NATIVE:NO_HOLDER',
  'PARTNER:NO_PARTNER',
  'PARTNER:VASP_UNKNOWN',
  'TRP:NO_TRAVEL_ADDRESS',
  'TRP:OWN_ADDRESS',
  'TRP:NO_CLAIMS',
  'TRP:CLOSED',
  'EMAIL:SWITCHED_OFF',
  'EMAIL:NO_MAILBOX',
  'EMAIL:REFUSED',
  'EMAIL:NO_MAIL_SERVER',
] as const;
export type SkippedNetwork = (typeof SKIPPED_NETWORKS)[number];

/** The route to a tenant of this deployment. */
export function native(tenantId: string, testBehaviour: TestBehaviour | null): NativeRoute {
  return { network: 'NATIVE', tenantId, ...(testBehaviour && { testBehaviour }) };
}
