import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/sanctions`: names and addresses against the lists. */
export function sanctionsCalls({ request, list }: ApiCalls) {
  return {
    /** Screens a name. */
    search: async (body: BodyOf<'POST', '/sanctions/search'>, options?: CallOptions) =>
      await request('POST', '/sanctions/search', { ...options, body }),
    /** Screens a wallet address, on all chains. */
    searchAddress: async (address: string, options?: CallOptions) =>
      await request('GET', '/sanctions/addresses/{address}', { ...options, path: { address } }),
    history: (filters?: FiltersOf<'/sanctions/history'>, options?: CallOptions) =>
      list('/sanctions/history', { ...options, query: filters }),
    /** An earlier screening, as it was answered. */
    getScreening: async (id: string, options?: CallOptions) =>
      await request('GET', '/sanctions/history/{id}', { ...options, path: { id } }),
    /** Marks a match as a false positive. */
    suppress: async (body: BodyOf<'POST', '/sanctions/suppressions'>, options?: CallOptions) =>
      await request('POST', '/sanctions/suppressions', { ...options, body }),
    suppressions: (filters?: FiltersOf<'/sanctions/suppressions'>, options?: CallOptions) =>
      list('/sanctions/suppressions', { ...options, query: filters }),
    deleteSuppression: async (id: string, options?: CallOptions) =>
      await request('DELETE', '/sanctions/suppressions/{id}', { ...options, path: { id } }),
  };
}
