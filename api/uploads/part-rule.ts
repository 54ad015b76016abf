import type { ErrorCode } from '../../domain/errors.ts';

/** The limits of one part of a multipart form. */
export interface PartRule {
  description: string;
  /** A file is a part with a file name. */
  kind: 'FILE' | 'TEXT';
  maxBytes: number;
  maxCount: number;
  required: boolean;
}

/** The parts of a form by name. A part with any other name is refused. */
export type PartRules = Readonly<Record<string, PartRule>>;

/** Error codes that every form can have, in addition to those of its contents. */
export const MULTIPART_ERRORS: readonly ErrorCode[] = ['file_too_large'];
