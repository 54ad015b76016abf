import { DomainError, invalidField, type ErrorCode } from '../../domain/errors.ts';
import { EVIDENCE_LIMITS } from '../../domain/verifications/evidence-class.ts';
import { SubmitProofBody } from '../../domain/verifications/schema.ts';
import type { ReadForm } from '../endpoint.ts';
import { parseValue } from '../middleware/parse-input.ts';
import type { PartRules } from '../uploads/part-rule.ts';
import type { TakeFile } from '../uploads/read-multipart.ts';

const text = (description: string, maxBytes: number) =>
  ({ kind: 'TEXT', description, maxBytes, maxCount: 1, required: false }) as const;

/** Error codes of a proof, through the API and on the hosted page. */
export const PROOF_ERRORS: readonly ErrorCode[] = [
  'message_empty',
  'signature_malformed',
  'signature_mismatch',
  'signature_typed_data',
  'file_type_not_allowed',
  'verification_completed',
  'verification_expired',
];

/** The form parts of a proof. */
export const PROOF_PARTS: PartRules = {
  verificationFlow: text('The flow.', 100),
  message: text('With SIGNATURE_PROOF: exactly the text that was signed.', 64 * 1024),
  signature: text('With SIGNATURE_PROOF: the signature from the wallet.', 64 * 1024),
  files: {
    kind: 'FILE',
    description:
      'With VISUAL_PROOF: jpeg, png or pdf of at most 5 MB, or mp4, webm, mov, avi, wmv, mkv, mpeg, m4v or 3gp of at most ' +
      '50 MB each; the content decides, and name and declared type must not contradict it.',
    maxBytes: EVIDENCE_LIMITS.fileBytes,
    maxCount: EVIDENCE_LIMITS.files,
    required: false,
  },
};

interface ProofForm extends Pick<ReadForm, 'once'> {
  /** Parses the parts. Throws validation_failed, message_empty, signature_malformed. */
  submission: () => SubmitProofBody;
}

/** Reads a proof from a form and passes its files to `takeFile` while they arrive. */
export async function readProofForm(
  readForm: (takeFile: TakeFile) => Promise<ReadForm>,
  takeFile: TakeFile,
): Promise<ProofForm> {
  const { parts, once } = await readForm(takeFile);
  const texts = parts.filter(({ fileName }) => fileName === null);
  const given = Object.fromEntries(texts.map(({ name, text }) => [name, text]));
  const submission = () => {
    const parsed = named(() => parseValue(SubmitProofBody, given));
    if (parsed.verificationFlow !== 'VISUAL_PROOF' && texts.length < parts.length) {
      throw invalidField('/files', 'not_allowed', 'This flow takes no files.');
    }
    return parsed;
  };
  return { submission, once };
}

function named<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    throw error instanceof DomainError ? nameEmptyText(error) : error;
  }
}

/** Turns the error of an empty `message` or `signature` into message_empty or signature_malformed. */
export function nameEmptyText(fault: DomainError): DomainError {
  const empty = fault.details.errors?.filter((error) => error.code === 'empty_string') ?? [];
  const { errors } = fault.details;
  if (!errors || empty.length !== errors.length) return fault;
  if (empty[0]?.pointer === '/message') {
    return new DomainError('message_empty', 'The message is empty. Send the text that was signed.', {
      errors,
    });
  }
  if (empty[0]?.pointer === '/signature') {
    return new DomainError('signature_malformed', 'The signature is empty.', { errors });
  }
  return fault;
}
