import { SealedValueError, type SealingKey } from './cipher.ts';
import { openVaultKey, type MasterKeys } from './master-key.ts';
import type { KeyPurpose, StoredVaultKey } from './vault-keys.ts';

/** All versions of one key: `current` seals new values; each version opens the values it sealed. */
export interface Keyring {
  current: SealingKey;
  byVersion: ReadonlyMap<number, SealingKey>;
}

/**
 * The keys of one purpose among an owner's stored keys, given in ascending order of version. Undefined when there is
 * none.
 */
export function openKeyring(
  masters: MasterKeys,
  rows: readonly StoredVaultKey[],
  purpose: KeyPurpose,
): Keyring | undefined {
  const stored = rows.filter((row) => row.purpose === purpose);
  const keys = stored.map((row) => ({ version: row.version, secret: openVaultKey(masters, row) }));
  const newestSettled = keys.findLast((_, index) => stored[index]?.settled);
  // A new tenant has one version only, and no process has loaded older ones.
  const current = newestSettled ?? keys[0];
  return current && { current, byVersion: new Map(keys.map((key) => [key.version, key])) };
}

/** The key of this version. Throws SealedValueError when it is not loaded. */
export function keyOfVersion(ring: Keyring, version: number): SealingKey {
  const key = ring.byVersion.get(version);
  if (!key) throw new SealedValueError('A sealed value names a key version that is not loaded.');
  return key;
}
