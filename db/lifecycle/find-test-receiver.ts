import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { Queryable } from '../postgres.ts';

export interface TestReceiver {
  tenantId: string;
  /** The test VASP's record of the message. */
  id: string;
  behaviour: TestBehaviour;
}

/** The test VASP that received an outgoing message; undefined when another tenant did, or nobody yet. */
export async function findTestReceiver(db: Queryable, outgoingId: string): Promise<TestReceiver | undefined> {
  const { rows } = await db.query<{ tenant_id: string; id: string; behaviour: TestBehaviour }>(
    `select e.incoming_tenant_id as tenant_id, e.incoming_id as id, t.test_behaviour as behaviour
     from message_pairs e join tenants t on t.id = e.incoming_tenant_id
     where e.outgoing_id = $1 and t.test_behaviour is not null`,
    [outgoingId],
  );
  const row = rows[0];
  return row && { tenantId: row.tenant_id, id: row.id, behaviour: row.behaviour };
}
