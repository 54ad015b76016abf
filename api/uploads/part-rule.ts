import type { ErrorCode } from '../../domain/errors.ts';

/** What one part of a multipart form may be. */
export interface PartRule {
  description: string;
  /** A file is a part with a file name. */
  kind: 'FILE' | 'TEXT';
  maxBytes: number;
  maxCount: number;
  required: boolean;
}

/** The parts of a form by their names; any other is refused. */
export type PartRules = Readonly<Record<string, PartRule>>;

/** What a form is refused with besides the faults of its contents. */
export const MULTIPART_ERRORS: readonly ErrorCode[] = ['file_too_large'];
