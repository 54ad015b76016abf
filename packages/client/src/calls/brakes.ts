import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/tenant/me/brakes`: messages and webhooks that are held back. */
export function brakeCalls({ request, list }: ApiCalls) {
  return {
    set: async (body: BodyOf<'POST', '/tenant/me/brakes'>, options?: CallOptions) =>
      await request('POST', '/tenant/me/brakes', { ...options, body }),
    list: (filters?: FiltersOf<'/tenant/me/brakes'>, options?: CallOptions) =>
      list('/tenant/me/brakes', { ...options, query: filters }),
    /** Takes up again what was held back, oldest first. */
    release: async (
      id: string,
      body: BodyOf<'POST', '/tenant/me/brakes/{id}/release'> = {},
      options?: CallOptions,
    ) => await request('POST', '/tenant/me/brakes/{id}/release', { ...options, path: { id }, body }),
  };
}
