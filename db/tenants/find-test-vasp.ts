import type { TestBehaviour } from '../../domain/tenants/test-vasps.ts';
import type { Queryable } from '../postgres.ts';

/** The tenant of a test VASP; undefined outside a sandbox, or where another tenant has its name. */
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
