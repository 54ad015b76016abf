import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/claims`: the data of transfers that came without a message. */
export function claimCalls({ request, list }: ApiCalls) {
  return {
    /** Asks the originator VASP of a transfer for its data. */
    create: async (body: BodyOf<'POST', '/claims'>, options?: CallOptions) =>
      await request('POST', '/claims', { ...options, body }),
    get: async (id: string, options?: CallOptions) =>
      await request('GET', '/claims/{id}', { ...options, path: { id } }),
    list: (filters?: FiltersOf<'/claims'>, options?: CallOptions) =>
      list('/claims', { ...options, query: filters }),
    /** Takes an own claim back, or refuses one of another VASP. Not sent again once it may have been done. */
    patch: async (id: string, body: BodyOf<'PATCH', '/claims/{id}'>, options?: CallOptions) =>
      await request('PATCH', '/claims/{id}', { ...options, path: { id }, body }),
    /** Answers a claim of another VASP with a transaction, or with the data of one that is made. */
    answer: async (id: string, body: BodyOf<'POST', '/claims/{id}/answer'>, options?: CallOptions) =>
      await request('POST', '/claims/{id}/answer', { ...options, path: { id }, body }),
    /** The event log, newest first. */
    events: async (id: string, options?: CallOptions) =>
      await request('GET', '/claims/{id}/events', { ...options, path: { id } }),
  };
}
