import { malformedSignature } from './signature-refusals.ts';

/** A signature over secp256k1 from which the key can be recovered; `r` and `s` have 64 lower-case hex digits each. */
export interface RecoverableSignature {
  r: string;
  s: string;
  yParity: 0 | 1;
}

const ZERO = '0'.repeat(64);
/** The order of secp256k1, and half of it: EIP-2 refuses an `s` above that. */
const ORDER = 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141';
const HALF_ORDER = '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0';

const PARITY: Record<string, 0 | 1> = { '00': 0, '01': 1, '1b': 0, '1c': 1 };

/** Reads 65 bytes (r, s, v of 0, 1, 27 or 28) given as 130 hex digits. Throws signature_malformed. */
export function readFullSignature(digits: string): RecoverableSignature {
  const lower = digits.toLowerCase();
  const yParity = PARITY[lower.slice(128)];
  if (yParity === undefined) {
    throw malformedSignature(
      'The last byte of the signature must be 27, 28, 0 or 1. Other values belong to transactions: sign the text as a plain message.',
    );
  }
  return requireCanonical({ r: lower.slice(0, 64), s: lower.slice(64, 128), yParity });
}

/** Reads the 64 bytes of EIP-2098, where the highest bit of s is the parity, given as 128 hex digits. */
export function readCompactSignature(digits: string): RecoverableSignature {
  const lower = digits.toLowerCase();
  const top = parseInt(lower.slice(64, 65), 16);
  const s = (top & 7).toString(16) + lower.slice(65);
  return requireCanonical({ r: lower.slice(0, 64), s, yParity: top & 8 ? 1 : 0 });
}

/**
 * Throws signature_malformed for a high s, as EIP-2 does: anybody can compute it from a known signature, and no wallet
 * produces it. Hex strings of equal length compare like numbers.
 */
function requireCanonical(signature: RecoverableSignature): RecoverableSignature {
  const { r, s } = signature;
  if (r === ZERO || r >= ORDER || s === ZERO || s >= ORDER) {
    throw malformedSignature(
      'The numbers inside the signature are out of range. Copy the complete signature again.',
    );
  }
  if (s > HALF_ORDER) {
    throw malformedSignature(
      'The signature is in its altered form (high s, EIP-2). Send it as the wallet gave it.',
    );
  }
  return signature;
}
