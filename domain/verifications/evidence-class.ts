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

/** All accepted types. Programs disagree about mp4 and m4v and about the names of some types. */
const CLASSES: readonly EvidenceClass[] = [
  still('image/jpeg', 'JPEG', ['jpg', 'jpeg', 'jpe', 'jfif'], ['image/jpg', 'image/pjpeg']),
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

/** Types that say nothing: of clients that do not know it, and what the form's parser takes for a part without one. */
const UNDECLARED = [
  '',
  '*/*',
  'application/binary',
  'application/octet-stream',
  'application/unknown',
  'application/x-binary',
  'binary/octet-stream',
  'text/plain',
];

/** Extensions that say nothing. */
const NEUTRAL_EXTENSIONS = ['', 'bin', 'blob', 'dat', 'file', 'tmp', 'upload'];

/** File name extension for a stored file of this type. */
export function extensionOf(type: string): string {
  return CLASSES.find((known) => known.type === type)?.extensions[0] ?? 'bin';
}

interface NamedFile {
  /** The part of the form that it came in. */
  name?: string;
  fileName: string;
  /** Media type without parameters. */
  contentType: string;
}

/** What a file is uploaded for. */
type UploadKind = 'VISUAL_PROOF' | 'BRANDING' | StepKind;

/**
 * The class of a file by the type that its first bytes show. A name and a declared type may be missing or say nothing, but
 * not contradict. Throws file_type_not_allowed.
 */
export function classOf(
  detected: string | undefined,
  { name, fileName, contentType }: NamedFile,
  kind: UploadKind,
): EvidenceClass {
  const found = CLASSES.find((known) => detected !== undefined && known.detected.includes(detected));
  if (!found || !fits(found, kind))
    throw refusedType('The content is of no type that is accepted here.', name);
  const extension = extensionIn(fileName);
  if (extension !== '' && !found.extensions.includes(extension)) {
    throw refusedType('The content is not what the name says.', name);
  }
  if (!isDeclared(found, contentType.toLowerCase())) {
    throw refusedType('The content is not what the declared type says.', name);
  }
  return found;
}

function isDeclared({ type, declared }: EvidenceClass, given: string): boolean {
  const anyOfKind = type.replace(/\/.*/, '/*');
  return UNDECLARED.includes(given) || declared.includes(given) || given === anyOfKind;
}

/** Two to four letters and digits; control characters are in no honest name. */
const EXTENSION = /^(?=.*[a-z])(?:[a-z0-9]{2,4}|.*\p{Cc}.*)$/u;

/**
 * The last extension of a name that says something, in lower case: extensions that say nothing, and numbers, as in a date,
 * hide none. Empty when there is none, as when words or initials follow the last dot.
 */
function extensionIn(fileName: string): string {
  const [, ...parts] = fileName.toLowerCase().split('.');
  const last = parts
    .map((part) => part.trimEnd())
    .findLast((part) => !NEUTRAL_EXTENSIONS.includes(part) && !/^\d+$/.test(part));
  return last !== undefined && EXTENSION.test(last) ? last : '';
}

/** Source of funds and the tenant's branding take no videos, a selfie no PDF. */
function fits({ type }: EvidenceClass, kind: UploadKind): boolean {
  if (kind === 'SELFIE') return type !== 'application/pdf';
  return kind === 'VISUAL_PROOF' || !type.startsWith('video/');
}

/** The error for a refused file. `message` must not contain the file name, which may name people. */
export function refusedType(message: string, part = 'files'): DomainError {
  return new DomainError('file_type_not_allowed', 'This file is not accepted.', {
    errors: [{ pointer: `/${part}`, code: 'file_type_not_allowed', message }],
  });
}

/** The error for a file above the size limit of its class. */
export function tooLargeEvidence({ maxBytes }: EvidenceClass, part = 'files'): DomainError {
  const message = `A file of this type has at most ${maxBytes} bytes.`;
  return new DomainError('file_too_large', message, {
    errors: [{ pointer: `/${part}`, code: 'too_large', message }],
  });
}
