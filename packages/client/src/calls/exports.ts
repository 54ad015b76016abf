import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/exports`: records as files. */
export function exportCalls({ request, list }: ApiCalls) {
  return {
    /** Begins a file, which is made in the background: read it with `get` until `status` is READY. */
    create: async (body: BodyOf<'POST', '/exports'>, options?: CallOptions) =>
      await request('POST', '/exports', { ...options, body }),
    get: async (id: string, options?: CallOptions) =>
      await request('GET', '/exports/{id}', { ...options, path: { id } }),
    list: (filters?: FiltersOf<'/exports'>, options?: CallOptions) =>
      list('/exports', { ...options, query: filters }),
    /** What the file is, and its SHA-256; 409 until it is made. */
    manifest: async (id: string, options?: CallOptions) =>
      await request('GET', '/exports/{id}/manifest', { ...options, path: { id } }),
    /** A link to the file, valid for a minute. */
    url: async (id: string, options?: CallOptions) =>
      await request('GET', '/exports/{id}/download-url', { ...options, path: { id } }),
  };
}
