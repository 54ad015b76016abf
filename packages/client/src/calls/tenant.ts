import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/tenant/me`, without those of webhooks. */
export function tenantCalls({ request, list }: ApiCalls) {
  return {
    get: async (options?: CallOptions) => await request('GET', '/tenant/me', { ...options }),
    /** A changed `webhookUrl` has a new `webhookSecret`, which the answer contains. */
    patch: async (body: BodyOf<'PATCH', '/tenant/me'>, options?: CallOptions) =>
      await request('PATCH', '/tenant/me', { ...options, body }),
    settings: async (options?: CallOptions) => await request('GET', '/tenant/me/settings', { ...options }),
    patchSettings: async (body: BodyOf<'PATCH', '/tenant/me/settings'>, options?: CallOptions) =>
      await request('PATCH', '/tenant/me/settings', { ...options, body }),
    /** A jpeg, png or pdf file of at most 5 MB, which takes the place of the one before. */
    uploadLogo: async (file: Blob, options?: CallOptions) =>
      await request('POST', '/tenant/me/settings/logo', { ...options, body: formOf(file) }),
    uploadIcon: async (file: Blob, options?: CallOptions) =>
      await request('POST', '/tenant/me/settings/icon', { ...options, body: formOf(file) }),
    /** Counts of a month, such as 2026-11; of the current one without it. */
    statistics: async (month?: string, options?: CallOptions) =>
      await request('GET', '/tenant/me/statistics', {
        ...options,
        ...(month !== undefined && { query: { month } }),
      }),
    apiKeys: async (options?: CallOptions) => await request('GET', '/tenant/me/api-keys', { ...options }),
    createApiKey: async (body: BodyOf<'POST', '/tenant/me/api-keys'>, options?: CallOptions) =>
      await request('POST', '/tenant/me/api-keys', { ...options, body }),
    /** Sets the addresses from which the key may be used. */
    patchApiKey: async (
      id: string,
      body: BodyOf<'PATCH', '/tenant/me/api-keys/{id}'>,
      options?: CallOptions,
    ) => await request('PATCH', '/tenant/me/api-keys/{id}', { ...options, path: { id }, body }),
    revokeApiKey: async (id: string, options?: CallOptions) =>
      await request('DELETE', '/tenant/me/api-keys/{id}', { ...options, path: { id } }),
    serviceKeys: async (options?: CallOptions) =>
      await request('GET', '/tenant/me/service-keys', { ...options }),
    /** Activates a provider. */
    putServiceKey: async (body: BodyOf<'PUT', '/tenant/me/service-keys'>, options?: CallOptions) =>
      await request('PUT', '/tenant/me/service-keys', { ...options, body }),
    deleteServiceKey: async (feature: 'aml_check', options?: CallOptions) =>
      await request('DELETE', '/tenant/me/service-keys/{feature}', { ...options, path: { feature } }),
    /** The daily seals of the event logs. */
    seals: (filters?: FiltersOf<'/tenant/me/seals'>, options?: CallOptions) =>
      list('/tenant/me/seals', { ...options, query: filters }),
    /** The monthly reports, newest month first. */
    reports: async (options?: CallOptions) => await request('GET', '/tenant/me/reports', { ...options }),
    /** A link to the file of a month (`2026-10`), valid for a minute. */
    reportUrl: async (month: string, options?: CallOptions) =>
      await request('GET', '/tenant/me/reports/{ym}/download-url', { ...options, path: { ym: month } }),
    /** Makes the report of a month that is over, in place of an earlier one. */
    makeReport: async (month: string, options?: CallOptions) =>
      await request('POST', '/tenant/me/reports/{ym}', { ...options, path: { ym: month } }),
    /** Who signed in, took copies away, changed keys, users and settings, and read records. */
    auditLog: (filters?: FiltersOf<'/tenant/me/audit-log'>, options?: CallOptions) =>
      list('/tenant/me/audit-log', { ...options, query: filters }),
    /** A deleted transaction that the law keeps; the reason is logged. */
    archivedTransaction: async (id: string, reason: string, options?: CallOptions) =>
      await request('GET', '/tenant/me/archive/{id}', { ...options, path: { id }, query: { reason } }),
  };
}

function formOf(file: Blob): FormData {
  const form = new FormData();
  form.append('file', file);
  return form;
}

/** Calls of the tenant's webhooks. */
export function webhookCalls({ request, list }: ApiCalls) {
  return {
    /** The log of deliveries and their attempts; `_resourceId` takes the id of a transaction or verification. */
    deliveries: (filters?: FiltersOf<'/tenant/me/webhook-deliveries'>, options?: CallOptions) =>
      list('/tenant/me/webhook-deliveries', { ...options, query: filters }),
    getDelivery: async (id: string, options?: CallOptions) =>
      await request('GET', '/tenant/me/webhook-deliveries/{id}', { ...options, path: { id } }),
    redeliver: async (id: string, options?: CallOptions) =>
      await request('POST', '/tenant/me/webhook-deliveries/{id}/redeliver', { ...options, path: { id } }),
    /** Sends again what was created in a range of time; with `nextFrom` in the answer there is more. */
    redeliverRange: async (
      body: BodyOf<'POST', '/tenant/me/webhook-deliveries/redeliver'>,
      options?: CallOptions,
    ) => await request('POST', '/tenant/me/webhook-deliveries/redeliver', { ...options, body }),
    /** Makes a new secret; the previous one signs as well until the overlap ends. */
    rotateSecret: async (
      body: BodyOf<'POST', '/tenant/me/webhook/rotate-secret'> = {},
      options?: CallOptions,
    ) => await request('POST', '/tenant/me/webhook/rotate-secret', { ...options, body }),
    /** Sends a webhook of type `test`. */
    test: async (options?: CallOptions) => await request('POST', '/tenant/me/webhook/test', { ...options }),
  };
}
