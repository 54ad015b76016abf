import type { ErrorCode } from '../../domain/errors.ts';

/** What a proof may be refused with, wherever it comes from. */
export const PROOF_ERRORS: readonly ErrorCode[] = [
  'message_empty',
  'signature_malformed',
  'signature_mismatch',
  'signature_typed_data',
  'file_type_not_allowed',
  'verification_completed',
  'verification_expired',
];
