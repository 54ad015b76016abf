import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { foldName } from '../../domain/fold.ts';
import type { OpenNetworks } from '../database.ts';
import type { Queryable } from '../postgres.ts';
import {
  native,
  type RoutedCounterparty,
  type SkippedNetwork,
} from '../../domain/transactions/lifecycle/route.ts';
import { findNamedEntity, type NamedEntity, type NameResolution } from '../entities/find-named-entity.ts';
import { isSelfHosted } from '../../domain/transactions/self-hosted-wallet.ts';
import type { AddressDispute } from '../../domain/transactions/lifecycle/routing-outcomes.ts';
import { findLabelledReceiver } from './find-labelled-receiver.ts';
import { findTestVasp } from '../tenants/find-test-vasp.ts';
import { testVaspAt } from '../../domain/tenants/test-vasps.ts';
import { findRightfulHolder } from './find-rightful-holder.ts';
import { reachByMail } from './reach-by-mail.ts';
import { reachEntity, reachTravelAddress } from './reach-entity.ts';

/**
 * `entityId` is the entity of the named VASP, even if no network reaches it; null when the name identifies nobody.
 * `dispute` is set if a tenant registered the destination, and labels give it to another institution.
 */
export interface RouteResolution {
  counterparty: RoutedCounterparty | null;
  entityId: string | null;
  dispute: AddressDispute | null;
  /** The networks that come before the one of the counterparty, or all where there is none, and why they do not reach it. */
  skipped: readonly SkippedNetwork[];
}

/**
 * The receiver of an outgoing message, by the first rule that applies: (1) the named beneficiary VASP is the entity of a
 * tenant; (2) the message names a travel address; (3) the named VASP is reached over another network, by e-mail at last;
 * (4) exactly one other tenant has registered the destination; (5) the message names a mailbox; (6) labels give the
 * destination to one institution. Registering somebody else's address must not capture messages: rule 4 is skipped when the
 * name identifies another entity, or nobody while the holder has another name, and when labels give the address to somebody
 * else. A label counts under the same conditions. An ambiguous name identifies nobody. The sender's own name counts as none.
 * In a sandbox, a documented address leads to its test VASP where nobody is named. Where TRP is closed, rules 2 and 3 pass it over.
 */
export async function resolveRoute(
  db: Queryable,
  record: TransactionRecord,
  networks: OpenNetworks,
): Promise<RouteResolution> {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  const named = await namedVasp(db, name);
  const isOwnName = named?.tenantId === record.tenantId;
  const { beneficiaryTravelAddress: travelAddress = null } = record.personal.vaspInfo;
  const isNamed = named !== null && !isOwnName;
  const entityId = isNamed ? named.entityId : null;
  if (travelAddress !== null && !(isNamed && named.tenantId !== null)) {
    const vasp = isOwnName ? { name: null, named: null } : { name, named };
    const given = { travelAddress, ...vasp, senderId: record.tenantId, networks };
    const reached = await reachTravelAddress(db, given);
    if (reached) return { ...reached, dispute: null };
  }
  // A travel address that TRP does not lead to here says more than that the VASP has none.
  const noTrp =
    travelAddress === null || (isNamed && named.tenantId !== null) ? 'TRP:NO_TRAVEL_ADDRESS' : 'TRP:CLOSED';
  const routing = { record, networks, noTrp } as const;
  if (isNamed) return { ...(await reachNamed(db, routing, named)), entityId, dispute: null };
  return await reachUnnamed(db, routing, isOwnName ? null : name);
}

interface Routing {
  record: TransactionRecord;
  networks: OpenNetworks;
  /** Why TRP does not carry a message to a VASP without a travel address in the directory. */
  noTrp: SkippedNetwork;
}

async function reachNamed(db: Queryable, { record, networks, noTrp }: Routing, named: NamedEntity) {
  const { counterparty, skipped: tried } = await reachEntity(db, named, networks);
  if (counterparty) return { counterparty, skipped: tried };
  const skipped = tried.map((reason) => (reason === 'TRP:NO_TRAVEL_ADDRESS' ? noTrp : reason));
  return await reachByMail(db, mailOf(record), { entityId: named.entityId, skipped });
}

/** What a message says of mailboxes. */
function mailOf({ tenantId, personal: { vaspInfo, refusedMailboxes } }: TransactionRecord) {
  return { tenantId, email: vaspInfo.beneficiaryVaspEmail, refusedMailboxes };
}

/** The receiver of a message that names nobody, or somebody whom the directory does not know: `name`. */
async function reachUnnamed(db: Queryable, routing: Routing, name: string | null): Promise<RouteResolution> {
  const { record, noTrp } = routing;
  const simulated = name === null ? await testVaspRoute(db, record) : null;
  if (simulated) return { ...UNNAMED, counterparty: simulated, dispute: null };
  const { tenantId, dispute } = await findRightfulHolder(db, record, name);
  if (tenantId !== null) return { ...UNNAMED, counterparty: native(tenantId, null), dispute };
  // The mailbox that the tenant names; who has it is known to nobody.
  const mailed = await reachByMail(db, mailOf(record), { entityId: null, skipped: unheld(noTrp) });
  if (mailed.counterparty || dispute) return { ...UNNAMED, ...mailed, dispute };
  const labelled = await findLabelledReceiver(db, record, name);
  const reached = labelled ? await reachNamed(db, routing, labelled) : mailed;
  return { ...UNNAMED, ...reached, dispute: null };
}

const UNNAMED = { counterparty: null, entityId: null, skipped: [] };

/** Why no network before e-mail reaches whoever has an address, where nobody is named. */
const unheld = (noTrp: SkippedNetwork): readonly SkippedNetwork[] => [
  'NATIVE:NO_HOLDER',
  'PARTNER:VASP_UNKNOWN',
  noTrp,
];

/** The test VASP of a documented address, which only a sandbox has. */
async function testVaspRoute(db: Queryable, record: TransactionRecord): Promise<RoutedCounterparty | null> {
  const vasp = testVaspAt(record.destinationNormal);
  const found = vasp && (await findTestVasp(db, vasp.behaviour));
  return vasp && found && found.id !== record.tenantId ? native(found.id, vasp.behaviour) : null;
}

/** The institution that a name identifies; null for no name, an unknown and an ambiguous one. */
export async function namedVasp(
  db: Queryable,
  name: string | null,
): Promise<Exclude<NameResolution, 'AMBIGUOUS'>> {
  const found = name ? await findNamedEntity(db, foldName(name)) : null;
  return found === 'AMBIGUOUS' ? null : found;
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
  return await namedOther(db, tenantId, name);
}

async function namedOther(db: Queryable, tenantId: string, name: string | null): Promise<string | null> {
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
  /** The networks that do not reach it. */
  skipped: readonly SkippedNetwork[];
}

/**
 * The counterparty that a record is screened with: for a message that is still to be sent, whoever would receive it; for one that
 * was sent to nobody known, the beneficiary VASP that it names; for a record that a receiver made itself, the originator VASP.
 */
export async function counterpartyOf(
  db: Queryable,
  record: TransactionRecord,
  networks: OpenNetworks,
): Promise<KnownCounterparty> {
  const { counterpartyEntityId, direction, destinationType, status } = record;
  if (direction === 'INCOMING') return undelivered(await originatorOf(db, record));
  if (status !== 'PENDING') return undelivered(await receiverOf(db, record));
  if (destinationType === 'NON_CUSTODIAL') return undelivered(null);
  const { counterparty: receiver, entityId: named, ...found } = await resolveRoute(db, record, networks);
  const entityId = named ?? (receiver && (await entityOf(db, receiver)));
  return { entityId: entityId ?? counterpartyEntityId, receiver, isNamed: named !== null, ...found };
}

function undelivered(entityId: string | null): KnownCounterparty {
  return { entityId, receiver: null, dispute: null, isNamed: entityId !== null, skipped: [] };
}

/** The name of a message that went to nobody known, by mail or to a travel address, can be that of an entity by now. */
async function receiverOf(db: Queryable, record: TransactionRecord): Promise<string | null> {
  const { tenantId, counterpartyEntityId: known, personal } = record;
  if (known !== null || isSelfHosted(record)) return known;
  return await namedOther(db, tenantId, personal.vaspInfo.beneficiaryVaspName);
}

/** A name can have become that of an entity since the record was stored. */
async function originatorOf(db: Queryable, record: TransactionRecord): Promise<string | null> {
  const { pairId, counterpartyEntityId: known } = record;
  if (pairId !== null || isSelfHosted(record)) return known;
  return (await namedOriginator(db, record.tenantId, record.personal.vaspInfo.originatorVaspName)) ?? known;
}

async function entityOf(db: Queryable, receiver: RoutedCounterparty): Promise<string | null> {
  if (receiver.network !== 'NATIVE') return receiver.entityId;
  const { rows } = await db.query<{ entity_id: string }>({
    name: 'entity-of-tenant',
    text: 'select entity_id from tenants where id = $1',
    values: [receiver.tenantId],
  });
  return rows[0]?.entity_id ?? null;
}
