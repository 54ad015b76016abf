import { createHash, createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import type { SealingKey } from './cipher.ts';
import type { Keyring } from './keyring.ts';
import { purposeKey } from './purpose-key.ts';

/** An Ed25519 private key in PKCS #8 (RFC 8410) up to its 32 secret bytes. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A public key that checks seals. */
export interface SealPublicKey {
  /** As `kid` in the header of a seal: the first 16 hex characters of the SHA-256 of the key (SPKI, DER). */
  keyId: string;
  pem: string;
}

interface SealKey extends SealPublicKey {
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/**
 * Signs seals as compact JWS (RFC 7515) by Ed25519, so that whoever has the public key can check them. The key pair is
 * derived from the deployment's hash key, which the master key wraps: it is nowhere in the database, and a new master key
 * does not change it.
 */
export class SealSigner {
  readonly #current: SealKey;
  readonly #byId: ReadonlyMap<string, SealKey>;

  constructor({ current, byVersion }: Keyring) {
    this.#current = sealKeyOf(current);
    this.#byId = new Map([...byVersion.values()].map(sealKeyOf).map((key) => [key.keyId, key]));
  }

  sign(payload: string): string {
    const header = encode(JSON.stringify({ alg: 'EdDSA', kid: this.#current.keyId }));
    const signed = `${header}.${encode(payload)}`;
    return `${signed}.${sign(null, Buffer.from(signed), this.#current.privateKey).toString('base64url')}`;
  }

  /** The payload of a seal; null when no key of this deployment has signed it. */
  open(jws: string): string | null {
    const [header = '', payload = '', signature = '', ...more] = jws.split('.');
    const key = this.#keyOf(jws);
    if (!key || more.length > 0 || ![payload, signature].every(isBase64url)) return null;
    const isSigned = verify(
      null,
      Buffer.from(`${header}.${payload}`),
      key.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    return isSigned ? Buffer.from(payload, 'base64url').toString() : null;
  }

  /** The public key that a seal names; undefined when this deployment has no such key. */
  publicKeyOf(jws: string): SealPublicKey | undefined {
    return this.#keyOf(jws);
  }

  #keyOf(jws: string): SealKey | undefined {
    const [header = ''] = jws.split('.');
    return [...this.#byId.values()].find(
      ({ keyId }) => header === encode(JSON.stringify({ alg: 'EdDSA', kid: keyId })),
    );
  }
}

function sealKeyOf(key: SealingKey): SealKey {
  const seed = purposeKey(key, 'seal-signature');
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_START, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(privateKey);
  const bytes = publicKey.export({ format: 'der', type: 'spki' });
  return {
    keyId: createHash('sha256').update(bytes).digest('hex').slice(0, 16),
    pem: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    privateKey,
    publicKey,
  };
}

/** Node also reads other spellings of the same bytes: the text of a seal has one. */
function isBase64url(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64url');
}
