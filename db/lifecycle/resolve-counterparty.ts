import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { foldName } from '../../domain/fold.ts';
import type { Queryable } from '../postgres.ts';
import { findNamedEntity, type NameResolution } from '../entities/find-named-entity.ts';
import { findHolders } from '../wallets/match-wallet.ts';

/** The receiver of a message and the network that carries it. */
export interface RoutedCounterparty {
  network: 'NATIVE';
  tenantId: string;
  /** Only for a test VASP: how it responds. */
  testBehaviour?: TestBehaviour;
}

/**
 * `entityId` is the entity of the named VASP, even if no network reaches it; null when the name identifies nobody.
 */
export interface RouteResolution {
  counterparty: RoutedCounterparty | null;
  entityId: string | null;
}

/** The receiver of an outgoing message; null when there is none or more than one candidate. */
export async function resolveCounterparty(
  db: Queryable,
  record: TransactionRecord,
): Promise<RoutedCounterparty | null> {
  return (await resolveRoute(db, record)).counterparty;
}

/**
 * The receiver of an outgoing message, by the first rule that applies: (1) the named beneficiary VASP is the entity
 * of a tenant; (2) exactly one other tenant has registered the destination. Rule 2 is skipped when the name
 * identifies another entity: registering somebody else's address must not capture messages. An ambiguous name counts
 * as none.
 */
export async function resolveRoute(db: Queryable, record: TransactionRecord): Promise<RouteResolution> {
  const named = await namedVasp(db, record);
  if (named && named.tenantId !== record.tenantId) {
    const { entityId, tenantId, testBehaviour } = named;
    // The networks that reach entities outside the deployment (rules 3 to 5) go here.
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

/** The entity of a record's counterparty, as far as it is known before the message is sent. */
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
