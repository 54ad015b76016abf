import type { ApiCalls, FiltersOf } from '../api-calls.ts';
import type { BodyOf, CallOptions, Schemas } from '../operations.ts';

/** A file with the name that is stored with it. */
export interface NamedFile {
  name: string;
  content: Blob;
}

/** Calls of `/wallet-verification`: proofs that a self-hosted wallet is its owner's. */
export function verificationCalls({ request, list }: ApiCalls) {
  return {
    create: async (body: BodyOf<'POST', '/wallet-verification'>, options?: CallOptions) =>
      await request('POST', '/wallet-verification', { ...options, body }),
    get: async (id: string, options?: CallOptions) =>
      await request('GET', '/wallet-verification/{id}', { ...options, path: { id } }),
    list: (filters?: FiltersOf<'/wallet-verification'>, options?: CallOptions) =>
      list('/wallet-verification', { ...options, query: filters }),
    /** Decides one that is ACTION_REQUIRED, or changes its texts. Not sent again once it may have been done. */
    patch: async (id: string, body: BodyOf<'PATCH', '/wallet-verification/{id}'>, options?: CallOptions) =>
      await request('PATCH', '/wallet-verification/{id}', { ...options, path: { id }, body }),
    delete: async (id: string, options?: CallOptions) =>
      await request('DELETE', '/wallet-verification/{id}', { ...options, path: { id } }),
    /** Gives a signature or a declaration, or begins the small transfer. */
    submitProof: async (id: string, body: Schemas['SubmitProof'], options?: CallOptions) =>
      await request('POST', '/wallet-verification/{id}/verification', { ...options, path: { id }, body }),
    /** Gives one to three pictures, documents or videos, for a review. */
    submitVisualProof: async (id: string, files: readonly NamedFile[], options?: CallOptions) => {
      const body = formOf(files, { verificationFlow: 'VISUAL_PROOF' });
      return await request('POST', '/wallet-verification/{id}/verification', {
        ...options,
        path: { id },
        body,
      });
    },
    /** Withdraws an accepted proof. */
    revoke: async (
      id: string,
      body: BodyOf<'POST', '/wallet-verification/{id}/revoke'>,
      options?: CallOptions,
    ) => await request('POST', '/wallet-verification/{id}/revoke', { ...options, path: { id }, body }),
    /** The event log, newest first. */
    events: async (id: string, options?: CallOptions) =>
      await request('GET', '/wallet-verification/{id}/events', { ...options, path: { id } }),
    files: async (id: string, options?: CallOptions) =>
      await request('GET', '/wallet-verification/{id}/files', { ...options, path: { id } }),
    /** A link to a file that needs no key, for 60 seconds. */
    fileUrl: async (id: string, fileId: string, options?: CallOptions) =>
      await request('GET', '/wallet-verification/{id}/files/{fileId}/url', {
        ...options,
        path: { id, fileId },
      }),
    ...stepCalls(request),
  };
}

const STEP = '/wallet-verification/{id}/additional-steps/{kind}';

/** A step of a verification. */
interface StepName {
  id: string;
  kind: 'SOURCE_OF_FUNDS_WEALTH' | 'SELFIE';
}

function stepCalls(request: ApiCalls['request']) {
  return {
    /** Gives the files of an additional step; `metadata` is JSON text about how a selfie was taken. */
    submitStep: async (
      step: StepName,
      { files, metadata }: { files: readonly NamedFile[]; metadata?: string },
      options?: CallOptions,
    ) => {
      const body = formOf(files, metadata === undefined ? {} : { metadata });
      return await request('POST', STEP, { ...options, path: { ...step }, body });
    },
    /** Not sent again once it may have been done. */
    reviewStep: async (step: StepName, body: BodyOf<'PATCH', typeof STEP>, options?: CallOptions) =>
      await request('PATCH', STEP, { ...options, path: { ...step }, body }),
    /** A link to a document of a step that needs no key, for 60 seconds. */
    stepDocumentUrl: async (step: StepName, documentId: string, options?: CallOptions) =>
      await request('GET', '/wallet-verification/{id}/additional-steps/{kind}/documents/{documentId}/url', {
        ...options,
        path: { ...step, documentId },
      }),
  };
}

function formOf(files: readonly NamedFile[], texts: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.append(name, text);
  for (const { name, content } of files) form.append('files', content, name);
  return form;
}
