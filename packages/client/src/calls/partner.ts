import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';

/** Calls of `/partners/me`, with the key of a partner. */
export function partnerCalls({ request, list }: ApiCalls) {
  return {
    get: async (options?: CallOptions) => await request('GET', '/partners/me', { ...options }),
    /** A changed `webhookUrl` has a new `webhookSecret`, which the answer contains. */
    patch: async (body: BodyOf<'PATCH', '/partners/me'>, options?: CallOptions) =>
      await request('PATCH', '/partners/me', { ...options, body }),
    /** Sends a message to a VASP of the deployment. */
    send: async (body: BodyOf<'POST', '/partners/me/transactions'>, options?: CallOptions) =>
      await request('POST', '/partners/me/transactions', { ...options, body }),
    /** The messages to and from the network, without personal data. */
    transactions: (filters?: FiltersOf<'/partners/me/transactions'>, options?: CallOptions) =>
      list('/partners/me/transactions', { ...options, query: filters }),
    /** Reads a message; once its destination is confirmed, with personal data, which is logged. */
    transaction: async (id: string, options?: CallOptions) =>
      await request('GET', '/partners/me/transactions/{id}', { ...options, path: { id } }),
    /** Confirms the destination, answers a message, or changes an own one. */
    patchTransaction: async (
      id: string,
      body: BodyOf<'PATCH', '/partners/me/transactions/{id}'>,
      options?: CallOptions,
    ) => await request('PATCH', '/partners/me/transactions/{id}', { ...options, path: { id }, body }),
    /** Asks the sender of a message for data that it lacks. */
    requestRepair: async (
      id: string,
      body: BodyOf<'POST', '/partners/me/transactions/{id}/repair'>,
      options?: CallOptions,
    ) => await request('POST', '/partners/me/transactions/{id}/repair', { ...options, path: { id }, body }),
    /** The claims to the network, without personal data. */
    claims: (filters?: FiltersOf<'/partners/me/claims'>, options?: CallOptions) =>
      list('/partners/me/claims', { ...options, query: filters }),
    /** Reads a claim with the name of the asking VASP's customer, which is logged. */
    claim: async (id: string, options?: CallOptions) =>
      await request('GET', '/partners/me/claims/{id}', { ...options, path: { id } }),
    /** Refuses a claim. Not sent again once it may have been done. */
    patchClaim: async (
      id: string,
      body: BodyOf<'PATCH', '/partners/me/claims/{id}'>,
      options?: CallOptions,
    ) => await request('PATCH', '/partners/me/claims/{id}', { ...options, path: { id }, body }),
    /** Answers a claim with the data of the transfer. */
    answerClaim: async (
      id: string,
      body: BodyOf<'POST', '/partners/me/claims/{id}/answer'>,
      options?: CallOptions,
    ) => await request('POST', '/partners/me/claims/{id}/answer', { ...options, path: { id }, body }),
  };
}
