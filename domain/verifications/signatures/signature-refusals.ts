import { DomainError, invalidField } from '../../errors.ts';
import { looksLikeTypedData } from './looks-like-typed-data.ts';

const HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const HEX_BYTES = /^0x(?:[0-9a-f]{2})+$/i;

const MISMATCH =
  'The signature was not made by this address over exactly this message. Sign with the wallet of this verification and send the text exactly as it was signed: not trimmed, line breaks unchanged, no prefix added.';

/**
 * The error for a signature that lacks the form of its scheme. `text` describes the expected form and must not contain
 * the signature: a rejected signature may be worth money to a reader.
 */
export function malformedSignature(text: string): DomainError {
  return new DomainError('signature_malformed', text);
}

/** The error for a well-formed signature that this address did not make over this message, with hints on known mistakes. */
export function mismatchedSignature(message: string): DomainError {
  if (looksLikeTypedData(message)) {
    return new DomainError(
      'signature_typed_data',
      'Typed data (EIP-712) is not accepted as proof. Sign a plain text with personal_sign and send that text as the message.',
    );
  }
  return new DomainError('signature_mismatch', `${hintFor(message)}${MISMATCH}`);
}

/** The error for a chain or type of address whose signatures cannot be checked. */
export function noSignatureProof(subject: 'blockchain' | 'kind of address'): DomainError {
  return invalidField(
    '/verificationFlow',
    'flow_not_supported',
    `Signatures cannot be checked for this ${subject}; use another verification flow.`,
  );
}

function hintFor(message: string): string {
  if (HASH.test(message)) return 'A hash was given as the message; the text itself is needed. ';
  if (HEX_BYTES.test(message)) {
    return 'The message is hexadecimal: wallets sign the bytes it encodes, and only plain text is accepted. ';
  }
  return '';
}
