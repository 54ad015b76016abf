import { DomainError, invalidField } from '../../errors.ts';
import { looksLikeTypedData } from './looks-like-typed-data.ts';

const HASH = /^(?:0x)?[0-9a-f]{64}$/i;
const HEX_BYTES = /^0x(?:[0-9a-f]{2})+$/i;

const MISMATCH =
  'The signature was not made by this address over exactly this message. Sign with the wallet of this verification and send the text as it was signed: not trimmed, line breaks unchanged, without a prefix of your own.';

/**
 * A signature that has not the form of its scheme. `text` says what is expected, never what was given: a rejected
 * signature may be worth money to whoever reads it.
 */
export function malformedSignature(text: string): DomainError {
  return new DomainError('signature_malformed', text);
}

/** A well-formed signature that this address did not make over this message; known mistakes get a text of their own. */
export function mismatchedSignature(message: string): DomainError {
  if (looksLikeTypedData(message)) {
    return new DomainError(
      'signature_typed_data',
      'Typed data (EIP-712) is not accepted as proof. Sign a plain text with personal_sign and send that text as the message.',
    );
  }
  return new DomainError('signature_mismatch', `${hintFor(message)}${MISMATCH}`);
}

/** Nothing that is signed can be checked on this chain or for this kind of address; better not to offer the flow. */
export function noSignatureProof(place: 'blockchain' | 'kind of address'): DomainError {
  return invalidField(
    '/verificationFlow',
    'flow_not_supported',
    `Signatures cannot be checked for this ${place}; use another verification flow.`,
  );
}

function hintFor(message: string): string {
  if (HASH.test(message)) return 'A hash was given as the message; the text itself is needed. ';
  if (HEX_BYTES.test(message)) {
    return 'The message is hexadecimal: wallets sign the bytes that it stands for, and only plain text is accepted. ';
  }
  return '';
}
