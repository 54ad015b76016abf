import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { CallOptions } from '../operations.ts';

/** Calls of `/proposals`: acts that wait for a second person. */
export function proposalCalls({ request, list }: ApiCalls) {
  return {
    /** Those that wait, unless the filters name other statuses. */
    list: (filters?: FiltersOf<'/proposals'>, options?: CallOptions) =>
      list('/proposals', { ...options, query: filters }),
    /** Carries the act out. For a signed-in user who did not propose it. */
    approve: async (id: string, options?: CallOptions) =>
      await request('POST', '/proposals/{id}/approve', { ...options, path: { id } }),
    /** Ends it without the act. For a signed-in user who did not propose it. */
    refuse: async (id: string, options?: CallOptions) =>
      await request('POST', '/proposals/{id}/refuse', { ...options, path: { id } }),
    /** Ends it without the act. For whoever proposed it. */
    withdraw: async (id: string, options?: CallOptions) =>
      await request('POST', '/proposals/{id}/withdraw', { ...options, path: { id } }),
  };
}

/** Calls of `/work-items`: everything that waits for a person. */
export function workItemCalls({ list }: ApiCalls) {
  return {
    list: (filters?: FiltersOf<'/work-items'>, options?: CallOptions) =>
      list('/work-items', { ...options, query: filters }),
  };
}
