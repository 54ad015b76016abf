/**
 * JSON over fetch: what is measured must not be changed by the retries of @waybill/client. Throws RefusedByApi with the
 * response's status and text.
 */
export interface JsonApi {
  get<T>(path: string): Promise<T>;
  post<T>(path: string, body: unknown): Promise<T>;
  put(path: string, body: unknown): Promise<void>;
  patch(path: string, body: unknown): Promise<void>;
}

export class RefusedByApi extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function jsonApi(apiUrl: string, headers: Record<string, string>): JsonApi {
  const call = async (method: string, path: string, body?: unknown): Promise<string> => {
    const response = await fetch(apiUrl + path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok)
      throw new RefusedByApi(response.status, `${method} ${path} returned ${response.status}: ${text}`);
    return text;
  };
  return {
    get: async <T>(path: string) => JSON.parse(await call('GET', path)) as T,
    post: async <T>(path: string, body: unknown) => JSON.parse(await call('POST', path, body)) as T,
    put: async (path, body) => {
      await call('PUT', path, body);
    },
    patch: async (path, body) => {
      await call('PATCH', path, body);
    },
  };
}

export const asTenant = (apiUrl: string, apiKey: string) => jsonApi(apiUrl, { 'X-Api-Key': apiKey });
export const asOperator = (apiUrl: string, key: string) => jsonApi(apiUrl, { 'X-Operator-Key': key });
