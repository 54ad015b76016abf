import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions } from '../operations.ts';
import { ClearanceWaits, type WaitOptions } from '../wait-until-cleared.ts';

/** Calls of `/transactions`. */
export function transactionCalls({ request, list }: ApiCalls) {
  const waits = new ClearanceWaits();
  const get = async (id: string, options?: CallOptions) =>
    await request('GET', '/transactions/{id}', { ...options, path: { id } });
  return {
    /** Sends a message, or records an incoming transfer. The amount is text: a number would lose digits. */
    create: async (body: BodyOf<'POST', '/transactions'>, options?: CallOptions) =>
      await request('POST', '/transactions', { ...options, body }),
    /** Asks what a transfer needs and would meet; nothing is stored or sent. */
    preflight: async (body: BodyOf<'POST', '/transactions/preflight'>, options?: CallOptions) =>
      await request('POST', '/transactions/preflight', { ...options, body }),
    get,
    list: (filters?: FiltersOf<'/transactions'>, options?: CallOptions) =>
      list('/transactions', { ...options, query: filters }),
    /** Decides, corrects or completes a transaction. The API answers without a body: `get` shows the result. */
    patch: async (id: string, body: BodyOf<'PATCH', '/transactions/{id}'>, options?: CallOptions) =>
      await request('PATCH', '/transactions/{id}', { ...options, path: { id }, body }),
    delete: async (id: string, options?: CallOptions) =>
      await request('DELETE', '/transactions/{id}', { ...options, path: { id } }),
    /** Decides what is held. With `version`, what was found since that version was read is not decided with it. */
    review: async (id: string, body: BodyOf<'POST', '/transactions/{id}/review'>, options?: CallOptions) =>
      await request('POST', '/transactions/{id}/review', { ...options, path: { id }, body }),
    /** Records the decision that the coins go without an answer. */
    proceed: async (id: string, body: BodyOf<'POST', '/transactions/{id}/proceed'>, options?: CallOptions) =>
      await request('POST', '/transactions/{id}/proceed', { ...options, path: { id }, body }),
    /** Records what was done with the coins that came. */
    disposeOfAssets: async (
      id: string,
      body: BodyOf<'POST', '/transactions/{id}/assets-disposition'>,
      options?: CallOptions,
    ) => await request('POST', '/transactions/{id}/assets-disposition', { ...options, path: { id }, body }),
    /** Asks the originator VASP of a received message for data. */
    requestRepair: async (
      id: string,
      body: BodyOf<'POST', '/transactions/{id}/repair'>,
      options?: CallOptions,
    ) => await request('POST', '/transactions/{id}/repair', { ...options, path: { id }, body }),
    /** Sends a FAILED message again. */
    retry: async (id: string, options?: CallOptions) =>
      await request('POST', '/transactions/{id}/retry', { ...options, path: { id } }),
    /** Makes a new transaction from one that a rule has blocked. */
    resubmit: async (
      id: string,
      body: BodyOf<'POST', '/transactions/{id}/resubmit'> = {},
      options?: CallOptions,
    ) => await request('POST', '/transactions/{id}/resubmit', { ...options, path: { id }, body }),
    ...legalHoldCalls({ request }),
    /** The findings of the latest screening, and the reason of a hold. */
    screening: async (id: string, options?: CallOptions) =>
      await request('GET', '/transactions/{id}/screening', { ...options, path: { id } }),
    /** The decisions of the rules, newest first. */
    decisions: async (id: string, options?: CallOptions) =>
      await request('GET', '/transactions/{id}/decisions', { ...options, path: { id } }),
    /** The event log, newest first. */
    events: async (id: string, options?: CallOptions) =>
      await request('GET', '/transactions/{id}/events', { ...options, path: { id } }),
    /** The signed archive of all that is known of it, as bytes; without `files`, it has no contents of files. */
    evidence: async (id: string, { files = true } = {}, options?: CallOptions) =>
      await request('GET', '/transactions/{id}/evidence', {
        ...options,
        path: { id },
        query: { files: files ? 'true' : 'false' },
      }),
    /** Sends its webhooks again. */
    resendWebhooks: async (
      id: string,
      body: BodyOf<'POST', '/transactions/{id}/webhooks/resend'> = {},
      options?: CallOptions,
    ) => await request('POST', '/transactions/{id}/webhooks/resend', { ...options, path: { id }, body }),
    /**
     * Reads a transaction until its outcome is GO or STOP, at growing intervals, and at once after `nudge`. On GO the coins
     * may move now; on STOP `clearance.reasons` say why not. Throws NotClearedInTime with the last state, NotFound once the
     * transaction is deleted, and the reason of the signal. Trouble that passes is waited out.
     */
    waitUntilCleared: async (id: string, options: WaitOptions) =>
      await waits.until(id, async (call) => await get(id, call), options),
    /** Tells the waits of this client that a transaction has changed: call it with the id in a webhook. */
    nudge: (id: string): void => waits.nudge(id),
  };
}

/** Calls of `/transactions/{id}/legal-hold`. */
function legalHoldCalls({ request }: Pick<ApiCalls, 'request'>) {
  return {
    /** Whether the record is kept beyond its retention, and why. */
    legalHold: async (id: string, options?: CallOptions) =>
      await request('GET', '/transactions/{id}/legal-hold', { ...options, path: { id } }),
    setLegalHold: async (
      id: string,
      body: BodyOf<'PUT', '/transactions/{id}/legal-hold'>,
      options?: CallOptions,
    ) => await request('PUT', '/transactions/{id}/legal-hold', { ...options, path: { id }, body }),
  };
}
