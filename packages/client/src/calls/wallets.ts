import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/wallets`: the addresses at which the tenant receives for its customers. */
export function walletCalls({ request, list }: ApiCalls) {
  return {
    create: async (body: BodyOf<'POST', '/wallets'>, options?: CallOptions) =>
      await request('POST', '/wallets', { ...options, body }),
    get: async (id: number, options?: CallOptions) =>
      await request('GET', '/wallets/{id}', { ...options, path: { id } }),
    list: (filters?: FiltersOf<'/wallets'>, options?: CallOptions) =>
      list('/wallets', { ...options, query: filters }),
    /** The address by which VASPs of other deployments send messages for the wallet by TRP. */
    travelAddress: async (id: number, options?: CallOptions) =>
      await request('GET', '/wallets/{id}/travel-address', { ...options, path: { id } }),
    patch: async (id: number, body: BodyOf<'PATCH', '/wallets/{id}'>, options?: CallOptions) =>
      await request('PATCH', '/wallets/{id}', { ...options, path: { id }, body }),
    delete: async (id: number, options?: CallOptions) =>
      await request('DELETE', '/wallets/{id}', { ...options, path: { id } }),
    /** Confirms up to 1,000 wallets, all or none: what was hidden in their messages becomes visible. */
    confirm: async (ids: number[], options?: CallOptions) =>
      await request('PATCH', '/wallets', { ...options, body: ids }),
    /** Deletes up to 1,000 wallets, all or none. */
    deleteAll: async (ids: number[], options?: CallOptions) =>
      await request('DELETE', '/wallets', { ...options, body: ids }),
    /** Registers the wallets of a CSV file (columns address, asset, blockchain, metadata), all or none. */
    uploadCsv: async (csv: string | Blob, options?: CallOptions) => {
      const body = new FormData();
      body.append('file', new Blob([csv], { type: 'text/csv' }), 'wallets.csv');
      return await request('POST', '/wallets/upload-csv', { ...UPLOAD, ...options, body });
    },
    getImport: async (id: string, options?: CallOptions) =>
      await request('GET', '/wallets/imports/{id}', { ...options, path: { id } }),
  };
}

/** 50,000 rows take longer than other requests. */
const UPLOAD = { timeoutMs: 300_000 };
