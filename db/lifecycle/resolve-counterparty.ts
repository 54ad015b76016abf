import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { foldName } from '../../domain/fold.ts';
import type { Queryable } from '../postgres.ts';
import { findNamedEntity, type NameResolution } from '../entities/find-named-entity.ts';
import { isSelfHosted } from '../../domain/transactions/self-hosted/self-hosted-wallet.ts';
import type { AddressDispute } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import { findRightfulHolder } from './find-rightful-holder.ts';

/** The receiver of a message and the network that carries it. */
export interface RoutedCounterparty {
  network: 'NATIVE';
  tenantId: string;
  /** Only for a test VASP: how it responds. */
  testBehaviour?: TestBehaviour;
}

/**
 * `entityId` is the entity of the named VASP, even if no network reaches it; null when the name identifies nobody.
 * `dispute` is set if a tenant registered the destination, and labels give it to another institution.
 */
export interface RouteResolution {
  counterparty: RoutedCounterparty | null;
  entityId: string | null;
  dispute: AddressDispute | null;
}

/**
 * The receiver of an outgoing message, by the first rule that applies: (1) the named beneficiary VASP is the entity
 * of a tenant; (2) exactly one other tenant has registered the destination. Registering somebody else's address must
 * not capture messages: rule 2 is skipped when the name identifies another entity, or nobody while the holder has
 * another name, and when labels give the address to somebody else. An ambiguous name identifies nobody. The sender's
 * own name counts as none.
 */
export async function resolveRoute(db: Queryable, record: TransactionRecord): Promise<RouteResolution> {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  const named = await namedVasp(db, name);
  const isOwnName = named?.tenantId === record.tenantId;
  if (named && !isOwnName) {
    const { entityId, tenantId, testBehaviour } = named;
    const counterparty = tenantId === null ? null : native(tenantId, testBehaviour);
    // The networks that reach entities outside the deployment (rules 3 to 5) go here.
    return { counterparty, entityId, dispute: null };
  }
  const { tenantId, dispute } = await findRightfulHolder(db, record, isOwnName ? null : name);
  // A disputed address goes on with the networks that reach others than tenants, too.
  return { counterparty: tenantId === null ? null : native(tenantId, null), entityId: null, dispute };
}

/** The institution that a name identifies; null for no name, an unknown and an ambiguous one. */
export async function namedVasp(
  db: Queryable,
  name: string | null,
): Promise<Exclude<NameResolution, 'AMBIGUOUS'>> {
  const found = name ? await findNamedEntity(db, foldName(name)) : null;
  return found === 'AMBIGUOUS' ? null : found;
}

/** The route to another tenant of this deployment. */
export function native(tenantId: string, testBehaviour: TestBehaviour | null): RoutedCounterparty {
  return { network: 'NATIVE', tenantId, ...(testBehaviour && { testBehaviour }) };
}

/**
 * The entity of the originator VASP that a receiver's own record names; null when the name identifies nobody, or the
 * tenant itself.
 */
export async function namedOriginator(
  db: Queryable,
  tenantId: string,
  name: string | null,
): Promise<string | null> {
  const named = await namedVasp(db, name);
  return named && named.tenantId !== tenantId ? named.entityId : null;
}

/** A new record with the entity of the originator VASP that it names; a deposit from a self-hosted wallet has none. */
export async function withNamedOriginator(
  db: Queryable,
  record: TransactionRecord,
): Promise<TransactionRecord> {
  const { direction, tenantId, personal } = record;
  if (direction === 'OUTGOING' || isSelfHosted(record)) return record;
  const counterpartyEntityId = await namedOriginator(db, tenantId, personal.vaspInfo.originatorVaspName);
  return { ...record, counterpartyEntityId };
}

/** A record's counterparty, as far as it is known before the message is sent. */
export interface KnownCounterparty {
  entityId: string | null;
  /** Where the message would be delivered now; null for a record that waits for no delivery. */
  receiver: RoutedCounterparty | null;
  /** Set if the destination leads to nobody, because a tenant registered it and labels give it to another institution. */
  dispute: AddressDispute | null;
  /** Whether the record names the VASP whose entity it is; a destination leads to one without naming it. */
  isNamed: boolean;
}

/**
 * The counterparty that a record is screened with: for a message that is still to be sent, whoever would receive it; for
 * a record that a receiver made itself, the originator VASP that it names.
 */
export async function counterpartyOf(db: Queryable, record: TransactionRecord): Promise<KnownCounterparty> {
  const { counterpartyEntityId, direction, destinationType, status } = record;
  if (direction === 'INCOMING') return undelivered(await originatorOf(db, record));
  if (status !== 'PENDING') return undelivered(counterpartyEntityId);
  if (destinationType === 'NON_CUSTODIAL') return undelivered(null);
  const { counterparty: receiver, entityId: named, dispute } = await resolveRoute(db, record);
  const entityId = named ?? (receiver && (await entityOfTenant(db, receiver.tenantId)));
  return { entityId: entityId ?? counterpartyEntityId, receiver, dispute, isNamed: named !== null };
}

function undelivered(entityId: string | null): KnownCounterparty {
  return { entityId, receiver: null, dispute: null, isNamed: entityId !== null };
}

/** A name can have become that of an entity since the record was stored. */
async function originatorOf(db: Queryable, record: TransactionRecord): Promise<string | null> {
  const { pairId, counterpartyEntityId: known } = record;
  if (pairId !== null || isSelfHosted(record)) return known;
  return (await namedOriginator(db, record.tenantId, record.personal.vaspInfo.originatorVaspName)) ?? known;
}

async function entityOfTenant(db: Queryable, tenantId: string): Promise<string | null> {
  const { rows } = await db.query<{ entity_id: string }>({
    name: 'entity-of-tenant',
    text: 'select entity_id from tenants where id = $1',
    values: [tenantId],
  });
  return rows[0]?.entity_id ?? null;
}
