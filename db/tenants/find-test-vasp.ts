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

/** The test VASP that a tenant is; undefined for any other tenant. */
export async function findTestVaspOf(
  db: Queryable,
  tenantId: string,
): Promise<{ id: string; name: string; behaviour: TestBehaviour } | undefined> {
  const { rows } = await db.query<{ id: string; name: string; behaviour: TestBehaviour }>({
    name: 'test-vasp-of-tenant',
    text: `select id, name, test_behaviour as behaviour from tenants
      where id = $1 and test_behaviour is not null`,
    values: [tenantId],
  });
  return rows[0];
}
