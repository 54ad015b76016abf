import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { TransactionRecord } from '../../domain/transactions/record.ts';
import { foldName } from '../../domain/fold.ts';
import type { Queryable } from '../database.ts';
import { findHolders } from '../wallets/match-wallet.ts';

/** Where a message goes and over which network. */
export interface Counterparty {
  network: 'NATIVE';
  tenantId: string;
  /** Only of a test VASP: how it answers. */
  testBehaviour?: TestBehaviour;
}

/**
 * The receiver of an outgoing message, by the first rule that fits: (1) the named beneficiary VASP is a tenant, (2) the
 * destination was registered by exactly one other tenant. Null when nobody is found or two could be meant.
 */
export async function resolveCounterparty(
  db: Queryable,
  record: TransactionRecord,
): Promise<Counterparty | null> {
  const name = record.personal.vaspInfo.beneficiaryVaspName;
  const named = name ? await findTenantByName(db, foldName(name)) : undefined;
  if (named && named.id !== record.tenantId) return counterpartyOf(named);
  const [holder, second] = await findHolders(db, record.tenantId, record);
  return holder && !second ? { network: 'NATIVE', tenantId: holder } : null;
}

interface NamedTenant {
  id: string;
  test_behaviour: TestBehaviour | null;
}

async function findTenantByName(db: Queryable, folded: string): Promise<NamedTenant | undefined> {
  const { rows } = await db.query<NamedTenant>(
    'select id, test_behaviour from tenants where name_folded = $1',
    [folded],
  );
  return rows[0];
}

function counterpartyOf({ id, test_behaviour: testBehaviour }: NamedTenant): Counterparty {
  return { network: 'NATIVE', tenantId: id, ...(testBehaviour && { testBehaviour }) };
}
