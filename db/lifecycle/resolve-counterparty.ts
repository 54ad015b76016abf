import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { foldName } from '../../domain/fold.ts';
import type { Queryable } from '../postgres.ts';
import { findNamedEntity, type NameResolution } from '../entities/find-named-entity.ts';
import { findHolders } from '../wallets/match-wallet.ts';

/** Where a message goes and over which network. */
export interface RoutedCounterparty {
  network: 'NATIVE';
  tenantId: string;
  /** Only of a test VASP: how it answers. */
  testBehaviour?: TestBehaviour;
}

/** `entityId`: the institution that the named VASP is, also where nothing leads to it; null when no name resolves. */
export interface RouteResolution {
  counterparty: RoutedCounterparty | null;
  entityId: string | null;
}

/** The receiver of an outgoing message; null when nobody is found or two could be meant. */
export async function resolveCounterparty(
  db: Queryable,
  record: TransactionRecord,
): Promise<RoutedCounterparty | null> {
  return (await resolveRoute(db, record)).counterparty;
}

/**
 * The receiver of an outgoing message, by the first rule that fits: (1) the named beneficiary VASP is the entity of a
 * tenant, (2) the destination was registered by exactly one other tenant, which is not asked when the name is somebody
 * else's: registering a foreign address must not capture messages. An ambiguous name is no name.
 */
export async function resolveRoute(db: Queryable, record: TransactionRecord): Promise<RouteResolution> {
  const named = await namedVasp(db, record);
  if (named && named.tenantId !== record.tenantId) {
    const { entityId, tenantId, testBehaviour } = named;
    // The networks that reach entities outside (3 to 5 of the rules) are asked here.
    return { counterparty: tenantId === null ? null : native(tenantId, testBehaviour), entityId };
  }
  const [holder, second] = await findHolders(db, record.tenantId, record);
  return { counterparty: holder && !second ? native(holder, null) : null, entityId: null };
}

async function namedVasp(
  db: Queryable,
  record: TransactionRecord,
): Promise<Exclude<NameResolution, 'AMBIGUOUS'>> {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  const found = name ? await findNamedEntity(db, foldName(name)) : null;
  return found === 'AMBIGUOUS' ? null : found;
}

function native(tenantId: string, testBehaviour: TestBehaviour | null): RoutedCounterparty {
  return { network: 'NATIVE', tenantId, ...(testBehaviour && { testBehaviour }) };
}

/** The institution on the other side of a record, as far as it is known before the message has gone out. */
export async function counterpartyEntityOf(db: Queryable, record: TransactionRecord): Promise<string | null> {
  const { counterpartyEntityId, direction, destinationType } = record;
  if (counterpartyEntityId !== null || direction === 'INCOMING') return counterpartyEntityId;
  if (destinationType === 'NON_CUSTODIAL') return null;
  const { counterparty, entityId } = await resolveRoute(db, record);
  return entityId ?? (counterparty && (await entityOfTenant(db, counterparty.tenantId)));
}

async function entityOfTenant(db: Queryable, tenantId: string): Promise<string | null> {
  const { rows } = await db.query<{ entity_id: string }>('select entity_id from tenants where id = $1', [
    tenantId,
  ]);
  return rows[0]?.entity_id ?? null;
}
