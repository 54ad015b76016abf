import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { SealingKey } from './cipher.ts';
import { openJws, signatureKeyOf, signerOf, signJws, type SignatureKey } from './compact-jws.ts';
import type { Keyring } from './keyring.ts';
import { purposeKey } from './purpose-key.ts';

/** An Ed25519 private key in PKCS #8 (RFC 8410) up to its 32 secret bytes. */
const PKCS8_START = Buffer.from('302e020100300506032b657004220420', 'hex');

interface SealKey extends SignatureKey {
  privateKey: KeyObject;
}

/**
 * Signs seals and evidence as compact JWS (RFC 7515) by Ed25519, so that whoever has the public key can check them. The
 * key pair is derived from the deployment's hash key, which the master key wraps: it is nowhere in the database, and a new
 * master key does not change it.
 */
export class SealSigner {
  readonly #current: SealKey;
  readonly #keys: readonly SealKey[];

  constructor({ current, byVersion }: Keyring) {
    this.#current = sealKeyOf(current);
    this.#keys = [...byVersion.values()].map(sealKeyOf);
  }

  sign(payload: string): string {
    return signJws(payload, 'SEAL', this.#current);
  }

  /** Signs what is no seal and can never be read as one. */
  signEvidence(payload: string): string {
    return signJws(payload, 'EVIDENCE', this.#current);
  }

  /** The public key of what is signed now. */
  get publicKey(): SignatureKey {
    return this.#current;
  }

  /** The payload of a seal; null when no key of this deployment has signed it. */
  open(jws: string): string | null {
    return openJws(jws, 'SEAL', this.#keys);
  }

  /** The public key that a seal names; undefined when this deployment has no such key. */
  publicKeyOf(jws: string): SignatureKey | undefined {
    return signerOf(jws, 'SEAL', this.#keys);
  }
}

function sealKeyOf(key: SealingKey): SealKey {
  const seed = purposeKey(key, 'seal-signature');
  const privateKey = createPrivateKey({
    key: Buffer.concat([PKCS8_START, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { ...signatureKeyOf(privateKey), privateKey };
}
