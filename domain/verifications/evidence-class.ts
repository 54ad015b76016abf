import { DomainError } from '../errors.ts';
import type { StepKind } from './state.ts';

const MIB = 1024 * 1024;
const STILL_BYTES = 5 * MIB;
const VIDEO_BYTES = 50 * MIB;

/** Maximum size of a file and of its metadata, and number of files in a submission. */
export const EVIDENCE_LIMITS = {
  fileBytes: VIDEO_BYTES,
  files: 3,
  stepFiles: 5,
  metadataBytes: 10_000,
} as const;

/** The container format, which defines how the completeness of a file is checked. */
export type FileStructure = 'PNG' | 'JPEG' | 'PDF' | 'ISO_MEDIA' | 'RIFF' | 'EBML' | 'ASF' | 'MPEG';

/** A type of file that is accepted as evidence. */
export interface EvidenceClass {
  /** Media type under which the file is stored and served. */
  type: string;
  extensions: readonly string[];
  /** Media types that callers may declare for it. */
  declared: readonly string[];
  /** Media types that may be detected from its first bytes. */
  detected: readonly string[];
  structure: FileStructure;
  maxBytes: number;
}

const still = (
  type: string,
  structure: FileStructure,
  extensions: readonly string[],
  declared: readonly string[] = [],
) => ({
  type,
  structure,
  extensions,
  declared: [type, ...declared],
  detected: [type],
  maxBytes: STILL_BYTES,
});

const video = (
  type: string,
  structure: FileStructure,
  extensions: readonly string[],
  others: { declared?: readonly string[]; detected?: readonly string[] } = {},
) => ({
  type,
  structure,
  extensions,
  declared: [type, ...(others.declared ?? [])],
  detected: others.detected ?? [type],
  maxBytes: VIDEO_BYTES,
});

/**
 * All accepted types. Programs disagree about mp4 and m4v and about the names of some types; otherwise file name,
 * declared type and content must agree.
 */
const CLASSES: readonly EvidenceClass[] = [
  still('image/jpeg', 'JPEG', ['jpg', 'jpeg'], ['image/jpg', 'image/pjpeg']),
  still('image/png', 'PNG', ['png'], ['image/x-png']),
  still('application/pdf', 'PDF', ['pdf'], ['application/x-pdf']),
  video('video/mp4', 'ISO_MEDIA', ['mp4', 'm4v'], {
    declared: ['video/x-m4v'],
    detected: ['video/mp4', 'video/x-m4v'],
  }),
  video('video/quicktime', 'ISO_MEDIA', ['mov']),
  video('video/3gpp', 'ISO_MEDIA', ['3gp', '3g2'], {
    declared: ['video/3gpp2'],
    detected: ['video/3gpp', 'video/3gpp2'],
  }),
  video('video/webm', 'EBML', ['webm']),
  video('video/matroska', 'EBML', ['mkv'], { declared: ['video/x-matroska'] }),
  video('video/x-msvideo', 'RIFF', ['avi'], {
    declared: ['video/vnd.avi', 'video/avi', 'video/msvideo'],
    detected: ['video/vnd.avi'],
  }),
  // Only with a video stream: audio-only files and unknown streams are detected as other types.
  video('video/x-ms-wmv', 'ASF', ['wmv'], { declared: ['video/x-ms-asf'], detected: ['video/x-ms-asf'] }),
  // No transport streams: one cannot tell whether they are complete.
  video('video/mpeg', 'MPEG', ['mpeg', 'mpg'], {
    declared: ['video/x-mpeg', 'video/mpg'],
    detected: ['video/MP1S', 'video/MP2P', 'video/mpeg'],
  }),
];

/** The type that clients send when they do not know it; accepted for every file. */
const UNDECLARED = 'application/octet-stream';

/** File name extension for a stored file of this type. */
export function extensionOf(type: string): string {
  return CLASSES.find((known) => known.type === type)?.extensions[0] ?? 'bin';
}

interface NamedFile {
  fileName: string;
  /** Media type without parameters. */
  contentType: string;
}

/** The class of a file by name and declared type, before its content is read. Throws file_type_not_allowed. */
export function declaredClass(
  { fileName, contentType }: NamedFile,
  kind: 'VISUAL_PROOF' | StepKind,
): EvidenceClass {
  const [, extension] = /[^.]\.([a-z0-9]{1,5})$/i.exec(fileName) ?? [];
  const found = CLASSES.find(({ extensions }) => extensions.includes(extension?.toLowerCase() ?? ''));
  if (!found || !fits(found, kind)) throw refusedType('The name must end in an allowed extension.');
  const declared = contentType.toLowerCase();
  if (declared !== '' && declared !== UNDECLARED && !found.declared.includes(declared)) {
    throw refusedType('Name and declared type contradict each other.');
  }
  return found;
}

/** Source of funds takes no videos, a selfie no PDF. */
function fits({ type }: EvidenceClass, kind: 'VISUAL_PROOF' | StepKind): boolean {
  if (kind === 'SELFIE') return type !== 'application/pdf';
  return kind === 'VISUAL_PROOF' || !type.startsWith('video/');
}

/** Throws file_type_not_allowed unless the type detected from the first bytes belongs to the class. */
export function requireDetected({ detected }: EvidenceClass, found: string | undefined): void {
  if (found === undefined || !detected.includes(found)) {
    throw refusedType('The content is not what the name says.');
  }
}

/** The error for a refused file. `message` must not contain the file name, which may name people. */
export function refusedType(message: string): DomainError {
  return new DomainError('file_type_not_allowed', 'This file is not accepted.', {
    errors: [{ pointer: '/files', code: 'file_type_not_allowed', message }],
  });
}

/** The error for a file above the size limit of its class. */
export function tooLargeEvidence({ maxBytes }: EvidenceClass): DomainError {
  const message = `A file of this type has at most ${maxBytes} bytes.`;
  return new DomainError('file_too_large', message, {
    errors: [{ pointer: '/files', code: 'too_large', message }],
  });
}
