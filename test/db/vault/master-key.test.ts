import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  newVaultKey,
  openVaultKey,
  readMasterKeys,
  rewrapVaultKey,
  type MasterKeys,
  DeploymentMismatch,
} from '../../../db/vault/master-key.ts';
import type { VaultKeyName, VaultKeyRow } from '../../../db/vault/vault-keys.ts';

const first = randomBytes(32).toString('hex');
const second = randomBytes(32).toString('hex');
const name: VaultKeyName = { owner: randomUUID(), purpose: 'RECORDS', version: 1 };

function bytesOf(masters: MasterKeys, row: VaultKeyRow): string {
  return openVaultKey(masters, row).export().toString('hex');
}

test('a key is wrapped by the current master key, which the row names without showing it', () => {
  const row = newVaultKey(readMasterKeys(first, second), name);
  const id = createHash('sha256').update('waybill-master').update(Buffer.from(first, 'hex')).digest('hex');
  expect(row).toMatchObject({ ...name, master_key_id: id.slice(0, 16) });
  expect(bytesOf(readMasterKeys(first), row)).toMatch(/^[0-9a-f]{64}$/);
});

test('a master key may be written in capitals', () => {
  const row = newVaultKey(readMasterKeys(first), name);
  expect(bytesOf(readMasterKeys(first.toUpperCase()), row)).toBe(bytesOf(readMasterKeys(first), row));
});

test('the previous master key still opens, and wrapping anew keeps the key inside', () => {
  const row = newVaultKey(readMasterKeys(first), name);
  const both = readMasterKeys(second, first);
  const rewrapped = rewrapVaultKey(both, row);
  expect(bytesOf(readMasterKeys(second), rewrapped)).toBe(bytesOf(both, row));
  expect(() => bytesOf(readMasterKeys(first), rewrapped)).toThrow(DeploymentMismatch);
});

test('another master key is refused with a text that names the setting', () => {
  const row = newVaultKey(readMasterKeys(first), name);
  expect(() => openVaultKey(readMasterKeys(second), row)).toThrow(/^MASTER_KEY does not open this database/);
});

test.each([
  ['owner', { owner: randomUUID() }],
  ['purpose', { purpose: 'TOKENS' as const }],
  ['version', { version: 2 }],
])('a wrapped key that was moved to another %s is refused', (_what, elsewhere) => {
  const masters = readMasterKeys(first);
  const row = newVaultKey(masters, name);
  expect(() => openVaultKey(masters, { ...row, ...elsewhere })).toThrow(DeploymentMismatch);
});

test.each(['', 'abc', 'g'.repeat(64), 'ab'.repeat(33)])(
  'a master key that is not 64 hex characters is refused',
  (text) => {
    expect(() => readMasterKeys(text)).toThrow('A master key is 64 hex characters.');
    expect(() => readMasterKeys(first, text)).toThrow('A master key is 64 hex characters.');
  },
);
