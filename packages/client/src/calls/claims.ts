import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/reconciliation`: transactions that lack a hash, an answer or a message. */
export function reconciliationCalls({ list }: ApiCalls) {
  return {
    list: (filters?: FiltersOf<'/reconciliation'>, options?: CallOptions) =>
      list('/reconciliation', { ...options, query: filters }),
  };
}

/** Calls of `/claims`: the data of transfers that came without a message. */
export function claimCalls({ request, list }: ApiCalls) {
  return {
    /** Asks the originator VASP of a transfer for its data. */
    create: async (body: BodyOf<'POST', '/claims'>, options?: CallOptions) =>
      await request('POST', '/claims', { ...options, body }),
    /** Asks for the data of a deposit that the tenant has recorded. */
    ofTransaction: async (
      id: string,
      body: BodyOf<'POST', '/transactions/{id}/claim'> = {},
      options?: CallOptions,
    ) => await request('POST', '/transactions/{id}/claim', { ...options, path: { id }, body }),
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
