import { randomBytes } from 'node:crypto';
import type { ApiKey } from '../../domain/api-keys/schema.ts';
import type { Role } from '../../domain/tenants/role.ts';
import type { OperatorTenant } from '../../domain/tenants/schema.ts';
import type { Json, RequestOptions, TestAnswer, TestApi } from '../api-client.ts';

type Options = Omit<RequestOptions, 'key' | 'body'>;

/** Requests with one API key. */
export interface Client {
  get<T = Json>(path: string, options?: Options): Promise<TestAnswer<T>>;
  post<T = Json>(path: string, body?: unknown, options?: Options): Promise<TestAnswer<T>>;
  put<T = Json>(path: string, body?: unknown, options?: Options): Promise<TestAnswer<T>>;
  patch<T = Json>(path: string, body?: unknown, options?: Options): Promise<TestAnswer<T>>;
  delete<T = Json>(path: string, options?: Options): Promise<TestAnswer<T>>;
}

/** A webhook URL for tests without workers: nobody ever calls it. */
export const WEBHOOK_URL = 'https://hooks.example/in';

/** A tenant made through the API, with calls bound to its first API key (ADMIN). */
export interface TestTenant extends Client {
  id: string;
  name: string;
  apiKey: string;
  apiKeyId: string;
  webhookSecret: string;
  /** A client with a new key of this role. */
  as(role: Role): Promise<Client & { apiKey: string }>;
}

/** The name is random unless given; `overrides` are fields of the operator's create body. */
export async function createTenant(api: TestApi, overrides: Json = {}): Promise<TestTenant> {
  const body = { name: `Tenant ${randomBytes(6).toString('hex')}`, ...overrides };
  const answer = await api.request<{ tenant: OperatorTenant; apiKey: ApiKey }>('POST', '/operator/tenants', {
    operatorKey: api.operatorKey,
    body,
  });
  if (answer.status !== 201) throw new Error(`the tenant was not made: ${JSON.stringify(answer.body)}`);
  const { tenant, apiKey } = answer.body;
  const client = clientOf(api, apiKey.apiKey);
  return {
    ...client,
    id: tenant.id,
    name: tenant.name,
    apiKey: apiKey.apiKey,
    apiKeyId: apiKey.id,
    webhookSecret: tenant.webhookSecret ?? '',
    as: async (role) => {
      const made = await client.post<ApiKey>('/tenant/me/api-keys', { role });
      return { ...clientOf(api, made.body.apiKey), apiKey: made.body.apiKey };
    },
  };
}

/** Requests with a given key. */
export function clientOf(api: TestApi, key: string): Client {
  return clientWith(api, { 'X-Api-Key': key });
}

/** Requests of a user, by their access token. */
export function bearerClient(api: TestApi, accessToken: string): Client {
  return clientWith(api, { Authorization: `Bearer ${accessToken}` });
}

function clientWith(api: TestApi, credential: Record<string, string>): Client {
  const send = async <T>(method: string, path: string, body?: unknown, options?: Options) =>
    await api.request<T>(method, path, {
      ...options,
      headers: { ...credential, ...options?.headers },
      ...(body !== undefined && { body }),
    });
  return {
    get: async (path, options) => await send('GET', path, undefined, options),
    post: async (path, body, options) => await send('POST', path, body, options),
    put: async (path, body, options) => await send('PUT', path, body, options),
    patch: async (path, body, options) => await send('PATCH', path, body, options),
    delete: async (path, options) => await send('DELETE', path, undefined, options),
  };
}
