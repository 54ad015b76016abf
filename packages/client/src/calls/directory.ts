import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/entities`: the directory of businesses, the same for every tenant. */
export function entityCalls({ request, list }: ApiCalls) {
  return {
    list: (filters?: FiltersOf<'/entities'>, options?: CallOptions) =>
      list('/entities', { ...options, query: filters }),
    get: async (id: string, options?: CallOptions) =>
      await request('GET', '/entities/{id}', { ...options, path: { id } }),
    /** The entity of a name or alias. Throws NotFound for a name that several entities have, too. */
    lookup: async (name: string, options?: CallOptions) =>
      await request('GET', '/entities/lookup', { ...options, query: { name } }),
  };
}

/** Calls of `/counterparties`: the entities that the tenant deals with, and its decisions about them. */
export function counterpartyCalls({ request, list }: ApiCalls) {
  return {
    list: (filters?: FiltersOf<'/counterparties'>, options?: CallOptions) =>
      list('/counterparties', { ...options, query: filters }),
    /** The register as CSV. */
    report: async (options?: CallOptions) => await request('GET', '/counterparties/report', { ...options }),
    get: async (entityId: string, options?: CallOptions) =>
      await request('GET', '/counterparties/{entityId}', { ...options, path: { entityId } }),
    patch: async (
      entityId: string,
      body: BodyOf<'PATCH', '/counterparties/{entityId}'>,
      options?: CallOptions,
    ) => await request('PATCH', '/counterparties/{entityId}', { ...options, path: { entityId }, body }),
    /** Records what was done about an entity: a warning, a restriction, an end, a report. */
    addStep: async (
      entityId: string,
      body: BodyOf<'POST', '/counterparties/{entityId}/steps'>,
      options?: CallOptions,
    ) => await request('POST', '/counterparties/{entityId}/steps', { ...options, path: { entityId }, body }),
  };
}

/** Calls of `/blockchains`. */
export function blockchainCalls({ request }: ApiCalls) {
  return { list: async (options?: CallOptions) => await request('GET', '/blockchains', { ...options }) };
}
