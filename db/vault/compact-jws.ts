import { createHash, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

/** The kinds of signed texts. A seal has no `typ`, so that no other signed text can pass for one. */
export type SignedTextType = 'SEAL' | 'EVIDENCE';

const TYP: Record<SignedTextType, object> = { SEAL: {}, EVIDENCE: { typ: 'waybill-evidence' } };

/** A public key that checks signatures of a deployment. */
export interface SignatureKey {
  /** The `kid` in the header of signatures by this key: the first 16 hex characters of the SHA-256 of the key (SPKI, DER). */
  keyId: string;
  pem: string;
  publicKey: KeyObject;
}

/** The key in a PEM text. Throws TypeError for one that is no Ed25519 key. */
export function signatureKeyOf(key: KeyObject | string): SignatureKey {
  const publicKey = createPublicKey(key);
  if (publicKey.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  const bytes = publicKey.export({ format: 'der', type: 'spki' });
  return {
    keyId: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
    pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    publicKey,
  };
}

/** Signs a text as compact JWS (RFC 7515) by Ed25519 (RFC 8037). */
export function signJws(
  payload: string,
  type: SignedTextType,
  { keyId, privateKey }: { keyId: string; privateKey: KeyObject },
): string {
  const signed = `${headerOf(type, keyId)}.${encode(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), privateKey).toString('base64url')}`;
}

/** The payload of a signed text of this type; null when none of the keys has signed it. */
export function openJws(jws: string, type: SignedTextType, keys: readonly SignatureKey[]): string | null {
  const [header = '', payload = '', signature = '', ...more] = jws.split('.');
  const key = signerOf(jws, type, keys);
  if (!key || more.length > 0 || ![payload, signature].every(isBase64url)) return null;
  const bytes = Buffer.from(`${header}.${payload}`);
  const isSigned = verify(null, bytes, key.publicKey, Buffer.from(signature, 'base64url'));
  return isSigned ? Buffer.from(payload, 'base64url').toString() : null;
}

/** The one of the keys that a signed text of this type names; undefined when it names none of them. */
export function signerOf<K extends SignatureKey>(
  jws: string,
  type: SignedTextType,
  keys: readonly K[],
): K | undefined {
  const [header = ''] = jws.split('.');
  return keys.find(({ keyId }) => header === headerOf(type, keyId));
}

function headerOf(type: SignedTextType, keyId: string): string {
  return encode(JSON.stringify({ alg: 'EdDSA', kid: keyId, ...TYP[type] }));
}

/** Node also reads other spellings of the same bytes: a signed text has one. */
function isBase64url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
