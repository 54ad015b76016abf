import type { ApiCalls } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/partners/me`, with the key of a partner. */
export function partnerCalls({ request }: ApiCalls) {
  return {
    get: async (options?: CallOptions) => await request('GET', '/partners/me', { ...options }),
    /** A changed `webhookUrl` has a new `webhookSecret`, which the answer contains. */
    patch: async (body: BodyOf<'PATCH', '/partners/me'>, options?: CallOptions) =>
      await request('PATCH', '/partners/me', { ...options, body }),
  };
}
