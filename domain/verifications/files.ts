import { z } from 'zod';
import type { Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';
import { STEP_KINDS } from './state.ts';
import { requireSubmittable } from './submission.ts';

/** The purpose of a file: a visual proof or an additional step. */
const FILE_KINDS = ['VISUAL_PROOF', ...STEP_KINDS] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** Description of a stored file, encrypted with the key of its verification. */
export interface FileDetails {
  /** File name given by the sender; never used as a path. */
  name: string;
  type: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A file in responses to reviewers. */
export const VerificationFile = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(FILE_KINDS),
    name: z.string().describe('File name given by the sender.'),
    type: z.string().describe('Media type, detected from the content.'),
    bytes: z.int(),
    sha256: z.string().describe('SHA-256 of the content as it was sent, in hex.'),
    seenBefore: z
      .boolean()
      .describe('The same content was already submitted in an earlier verification of any tenant.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'VerificationFile' });
export type VerificationFile = z.infer<typeof VerificationFile>;

/** A link under which a file can be fetched for a short time. */
export const FileLink = z
  .strictObject({
    url: z.string().describe('Needs no key: anybody who has it can fetch the file until it expires.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'FileLink' });
export type FileLink = z.infer<typeof FileLink>;

interface FileAct {
  actor: Actor;
  now: Date;
  /** Set if the owner of the wallet submitted it on the hosted page. */
  via?: 'HOSTED_PAGE';
}

/** Accepts files as a visual proof; a reviewer decides whether they prove anything. */
export function acceptVisualProof(
  record: VerificationRecord,
  files: number,
  { actor, now, via }: FileAct,
): VerificationChange {
  requireSubmittable(record, 'VISUAL_PROOF', now);
  return changed(
    record,
    {
      status: 'ACTION_REQUIRED',
      flow: 'VISUAL_PROOF',
      wakeAt: null,
      updatedAt: now,
      personal: { ...record.personal, signIn: null },
    },
    {
      type: 'PROOF_SUBMITTED',
      message: 'Files were submitted as proof; a person has to review them.',
      actor,
      data: { flow: 'VISUAL_PROOF', files, ...(via ? { via } : {}) },
    },
  );
}

/** Logs that a link to a file was issued or the file was fetched; the record does not change. */
export function fileOpened(
  record: VerificationRecord,
  { fileId, actor, type }: { fileId: string; actor: Actor; type: 'FILE_LINK_MADE' | 'FILE_VIEWED' },
): VerificationChange {
  const message = type === 'FILE_VIEWED' ? 'A file was fetched.' : 'A link to a file was given out.';
  return changed(
    record,
    {},
    { type, message, actor, data: { fileId } },
    { notify: false, wakesWorkflow: false },
  );
}

/** Logs that files were taken into the evidence of a transaction; the record does not change. */
export function filesExported(
  record: VerificationRecord,
  { fileIds, transactionId, actor }: { fileIds: string[]; transactionId: string; actor: Actor },
): VerificationChange {
  return changed(
    record,
    {},
    {
      type: 'FILES_EXPORTED',
      message: 'Its files were taken into the evidence of a transaction.',
      actor,
      data: { transactionId, fileIds },
    },
    { notify: false, wakesWorkflow: false },
  );
}
