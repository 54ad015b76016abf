import type { ApiCalls } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/sandbox`: they throw NotFound in production. */
export function sandboxCalls({ request }: ApiCalls) {
  return {
    /** Receives a message of a test VASP. */
    receive: async (body: BodyOf<'POST', '/sandbox/incoming'>, options?: CallOptions) =>
      await request('POST', '/sandbox/incoming', { ...options, body }),
    /** Ends what a transaction waits for. */
    fireTransactionTimer: async (id: string, options?: CallOptions) =>
      await request('POST', '/sandbox/transactions/{id}/fire-timer', { ...options, path: { id } }),
    /** Ends the time that a claim has for an answer. */
    fireClaimTimer: async (id: string, options?: CallOptions) =>
      await request('POST', '/sandbox/claims/{id}/fire-timer', { ...options, path: { id } }),
    /** Ends what a verification waits for. */
    fireVerificationTimer: async (id: string, options?: CallOptions) =>
      await request('POST', '/sandbox/wallet-verification/{id}/fire-timer', { ...options, path: { id } }),
  };
}
