import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { Queryable } from '../postgres.ts';

export interface TestReceiver {
  tenantId: string;
  name: string;
  /** The test VASP's record of the message. */
  id: string;
  behaviour: TestBehaviour;
  receivedAt: Date;
}

/** The test VASP that received an outgoing message; undefined when another tenant did, or nobody yet. */
export async function findTestReceiver(db: Queryable, outgoingId: string): Promise<TestReceiver | undefined> {
  const { rows } = await db.query<TestReceiver>(
    `select e.incoming_tenant_id as "tenantId", t.name, e.incoming_id as id, t.test_behaviour as behaviour,
       i.created_at as "receivedAt"
     from message_pairs e join tenants t on t.id = e.incoming_tenant_id join transactions i on i.id = e.incoming_id
     where e.outgoing_id = $1 and t.test_behaviour is not null`,
    [outgoingId],
  );
  return rows[0];
}
