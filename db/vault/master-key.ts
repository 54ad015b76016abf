import { createHash, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import { seal, SealedValueError, unseal, type SealingKey } from './cipher.ts';
import type { VaultKeyName, VaultKeyRow } from './vault-keys.ts';

/** MASTER_KEY or ENVIRONMENT belongs to another deployment than this database; the message is for the operator. */
export class DeploymentMismatch extends Error {
  override name = 'DeploymentMismatch';
}

interface MasterKey extends SealingKey {
  id: string;
}

/** The master keys of this process: `current` wraps, each of `byId` unwraps. */
export interface MasterKeys {
  current: MasterKey;
  byId: ReadonlyMap<string, MasterKey>;
}

/** Reads MASTER_KEY and, while keys are rotated, MASTER_KEY_PREVIOUS: 64 hex characters each. */
export function readMasterKeys(masterKey: string, previousMasterKey?: string): MasterKeys {
  const current = readMasterKey(masterKey);
  const previous = previousMasterKey === undefined ? current : readMasterKey(previousMasterKey);
  return { current, byId: new Map([previous, current].map((key) => [key.id, key])) };
}

function readMasterKey(hex: string): MasterKey {
  if (!/^[0-9a-f]{64}$/i.test(hex)) throw new Error('A master key is 64 hex characters.');
  const bytes = Buffer.from(hex, 'hex');
  const id = createHash('sha256').update('waybill-master').update(bytes).digest('hex').slice(0, 16);
  // Rows name their master key by id, so the version in the wrapped value has no meaning.
  return { id, version: 0, secret: createSecretKey(bytes) };
}

/** A new random 256-bit key, wrapped by the current master key: a row to be stored. */
export function newVaultKey(masters: MasterKeys, name: VaultKeyName): VaultKeyRow {
  return wrap(masters.current, name, randomBytes(32));
}

/** Wraps a stored key again, by the current master key. Throws DeploymentMismatch. */
export function rewrapVaultKey(masters: MasterKeys, row: VaultKeyRow): VaultKeyRow {
  return wrap(masters.current, row, unwrap(masters, row));
}

/** The key in a stored row. Throws DeploymentMismatch when no master key of this process opens it. */
export function openVaultKey(masters: MasterKeys, row: VaultKeyRow): KeyObject {
  return createSecretKey(unwrap(masters, row));
}

function wrap(master: MasterKey, name: VaultKeyName, key: Buffer): VaultKeyRow {
  const { owner, purpose, version } = name;
  return {
    owner,
    purpose,
    version,
    master_key_id: master.id,
    wrapped: seal(master, keyNameContext(name), key),
  };
}

function unwrap(masters: MasterKeys, row: VaultKeyRow): Buffer {
  const master = masters.byId.get(row.master_key_id);
  if (!master) {
    throw new DeploymentMismatch(
      'MASTER_KEY does not open this database: its keys are wrapped by another master key. Give the one it ' +
        'was set up with; while keys are being rotated, also the one before as MASTER_KEY_PREVIOUS.',
    );
  }
  try {
    return unseal(master, keyNameContext(row), row.wrapped);
  } catch (error) {
    if (!(error instanceof SealedValueError)) throw error;
    throw new DeploymentMismatch(
      'MASTER_KEY does not open a key of this database: the stored key was changed.',
    );
  }
}

function keyNameContext(name: VaultKeyName): string {
  return `vault_keys:${name.owner}:${name.purpose}:${name.version}`;
}
