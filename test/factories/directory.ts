import type { Json, TestApi } from '../api-client.ts';

async function asOperator(api: TestApi, method: string, path: string, body: Json): Promise<string> {
  const answer = await api.request(method, `/operator/entities${path}`, {
    operatorKey: api.operatorKey,
    body,
  });
  if (answer.status >= 300) throw new Error(`the directory was not changed: ${JSON.stringify(answer.body)}`);
  return String(answer.body['id']);
}

/** Adds an exchange to the directory; returns its id. */
export async function addEntity(api: TestApi, name: string): Promise<string> {
  return await asOperator(api, 'POST', '', { name, type: 'exchange' });
}

/** Makes an entity a duplicate of `masterId`. */
export async function mergeEntity(api: TestApi, id: string, masterId: string): Promise<void> {
  await asOperator(api, 'POST', `/${id}/merge`, { masterId });
}

/** Takes a merge back. */
export async function unmergeEntity(api: TestApi, id: string): Promise<void> {
  await asOperator(api, 'PATCH', `/${id}`, { masterEntityId: null });
}

/** The entity of a tenant. */
export async function entityOf({ db }: TestApi, tenantId: string): Promise<string> {
  const { rows } = await db.pool.query<{ id: string }>('select entity_id as id from tenants where id = $1', [
    tenantId,
  ]);
  return rows[0]?.id ?? '';
}
