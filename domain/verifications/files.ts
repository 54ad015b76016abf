import { z } from 'zod';
import type { Actor } from '../events/actor.ts';
import { changed, type VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';
import { STEP_KINDS } from './state.ts';
import { requireSubmittable } from './submission.ts';

/** What a file was sent for. */
const FILE_KINDS = ['VISUAL_PROOF', ...STEP_KINDS] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What is known of a stored file; sealed with its verification's key. */
export interface FileDetails {
  /** As the sender called it: data, never a path. */
  name: string;
  type: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** A file as reviewers see it. */
export const VerificationFile = z
  .strictObject({
    id: z.uuid(),
    kind: z.enum(FILE_KINDS),
    name: z.string().describe('As its sender called it.'),
    type: z.string().describe('Its media type, found by its content.'),
    bytes: z.int(),
    sha256: z.string().describe('Of the bytes as they were sent.'),
    seenBefore: z
      .boolean()
      .describe('The same content was given in an earlier verification, of whichever tenant.'),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'VerificationFile' });
export type VerificationFile = z.infer<typeof VerificationFile>;

/** Where a file can be fetched for a short time. */
export const FileLink = z
  .strictObject({
    url: z.string().describe('Needs no key: whoever has it may fetch the file while it lasts.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'FileLink' });
export type FileLink = z.infer<typeof FileLink>;

interface FileAct {
  actor: Actor;
  now: Date;
  /** Given by the owner of the wallet in person. */
  via?: 'HOSTED_PAGE';
}

/** Files were given as proof; whether they are one, a person decides. */
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
      message: 'Files were given as proof; a person has to look at them.',
      actor,
      data: { flow: 'VISUAL_PROOF', files, ...(via ? { via } : {}) },
    },
  );
}

/** Somebody was given a link to a file, or fetched it: an entry in the log, and nothing else changes. */
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
