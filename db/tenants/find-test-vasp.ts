import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { Queryable } from '../postgres.ts';

/** The tenant that plays a test VASP; undefined outside a sandbox, or where an operator's tenant has its name. */
export async function findTestVasp(
  db: Queryable,
  behaviour: TestBehaviour,
): Promise<{ id: string; name: string } | undefined> {
  const { rows } = await db.query<{ id: string; name: string }>(
    'select id, name from tenants where test_behaviour = $1',
    [behaviour],
  );
  return rows[0];
}
