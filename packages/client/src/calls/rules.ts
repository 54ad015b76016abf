import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/rule-engine`. A tenant has one configuration for each direction. */
export function ruleCalls(calls: ApiCalls) {
  const { request } = calls;
  return {
    list: async (options?: CallOptions) => await request('GET', '/rule-engine', { ...options }),
    get: async (id: string, options?: CallOptions) =>
      await request('GET', '/rule-engine/{id}', { ...options, path: { id } }),
    /** The fields that rules read, with their operators, values and units. */
    fields: async (options?: CallOptions) => await request('GET', '/rule-engine/fields', { ...options }),
    starterSets: async (options?: CallOptions) =>
      await request('GET', '/rule-engine/starter-sets', { ...options }),
    /** Makes a starter set the draft. */
    loadStarterSet: async (
      id: string,
      name: string,
      body: BodyOf<'POST', '/rule-engine/{id}/starter-sets/{name}/load'> = {},
      options?: CallOptions,
    ) =>
      await request('POST', '/rule-engine/{id}/starter-sets/{name}/load', {
        ...options,
        path: { id, name },
        body,
      }),
    /** Replaces the rules of the draft, unless its revision is another one. Not sent again once it may have been done. */
    patchDraft: async (id: string, body: BodyOf<'PATCH', '/rule-engine/{id}/draft'>, options?: CallOptions) =>
      await request('PATCH', '/rule-engine/{id}/draft', { ...options, path: { id }, body }),
    /** Evaluates the draft or the published rules on facts that are given. */
    simulate: async (id: string, body: BodyOf<'POST', '/rule-engine/{id}/simulate'>, options?: CallOptions) =>
      await request('POST', '/rule-engine/{id}/simulate', { ...options, path: { id }, body }),
    /** Evaluates the facts of an earlier decision again. */
    replay: async (id: string, body: BodyOf<'POST', '/rule-engine/{id}/replay'>, options?: CallOptions) =>
      await request('POST', '/rule-engine/{id}/replay', { ...options, path: { id }, body }),
    /** Makes the draft the next version, by which transactions are decided from now on. */
    publish: async (id: string, body: BodyOf<'POST', '/rule-engine/{id}/publish'>, options?: CallOptions) =>
      await request('POST', '/rule-engine/{id}/publish', { ...options, path: { id }, body }),
    /** Makes a published version the draft. */
    restore: async (id: string, body: BodyOf<'POST', '/rule-engine/{id}/restore'>, options?: CallOptions) =>
      await request('POST', '/rule-engine/{id}/restore', { ...options, path: { id }, body }),
    versions: (id: string, filters?: FiltersOf<'/rule-engine/{id}/versions'>, options?: CallOptions) =>
      calls.list('/rule-engine/{id}/versions', { ...options, path: { id }, query: filters }),
    getVersion: async (id: string, version: number, options?: CallOptions) =>
      await request('GET', '/rule-engine/{id}/versions/{version}', { ...options, path: { id, version } }),
    ...backtestCalls(calls),
  };
}

function backtestCalls({ request, list }: ApiCalls) {
  return {
    /** Begins a back-test on decisions that were made; `getBacktest` shows how far it is. */
    startBacktest: async (
      id: string,
      body: BodyOf<'POST', '/rule-engine/{id}/backtest'>,
      options?: CallOptions,
    ) => await request('POST', '/rule-engine/{id}/backtest', { ...options, path: { id }, body }),
    getBacktest: async (id: string, backtestId: string, options?: CallOptions) =>
      await request('GET', '/rule-engine/{id}/backtests/{backtestId}', {
        ...options,
        path: { id, backtestId },
      }),
    backtests: (id: string, filters?: FiltersOf<'/rule-engine/{id}/backtests'>, options?: CallOptions) =>
      list('/rule-engine/{id}/backtests', { ...options, path: { id }, query: filters }),
    cancelBacktest: async (id: string, backtestId: string, options?: CallOptions) =>
      await request('POST', '/rule-engine/{id}/backtests/{backtestId}/cancel', {
        ...options,
        path: { id, backtestId },
      }),
    deleteBacktest: async (id: string, backtestId: string, options?: CallOptions) =>
      await request('DELETE', '/rule-engine/{id}/backtests/{backtestId}', {
        ...options,
        path: { id, backtestId },
      }),
  };
}
