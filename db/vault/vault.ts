import { createHmac } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type pg from 'pg';
import type { SealingKey } from './cipher.ts';
import { openDeployment, type DeploymentEnvironment } from './deployment-check.ts';
import type { Keyring } from './keyring.ts';
import { HeadAnchors } from './head-anchors.ts';
import { newVaultKey, readMasterKeys, type MasterKeys } from './master-key.ts';
import { purposeKey } from './purpose-key.ts';
import { SealSigner } from './seal-signer.ts';
import { SessionTokens } from './session-tokens.ts';
import { TenantKeys } from './tenant-keys.ts';
import { KEYS_KEPT_MINUTES, listVaultKeys, type VaultKeyRow } from './vault-keys.ts';

interface VaultOptions {
  pool: pg.Pool;
  /** 64 hex characters. */
  masterKey: string;
  /** The previous master key, while keys wrapped by it are left. */
  previousMasterKey?: string | undefined;
  environment: DeploymentEnvironment;
}

/**
 * Opens the keys of this database; the first start creates them. Throws DeploymentMismatch with a text for the
 * operator.
 */
export async function openVault(options: VaultOptions): Promise<Vault> {
  const masters = readMasterKeys(options.masterKey, options.previousMasterKey);
  const apiKeys = await openDeployment(options.pool, masters, options.environment);
  return new Vault({ pool: options.pool, masters, apiKeys, environment: options.environment });
}

interface VaultParts {
  pool: pg.Pool;
  masters: MasterKeys;
  apiKeys: Keyring;
  environment: DeploymentEnvironment;
}

/** The tenants whose keys a process keeps: far more than act within minutes, since each beyond would cost a read per request. */
const KEPT_TENANTS = 50_000;

/** Loads the keys of tenants and hashes API keys. One per process. */
export class Vault {
  readonly #pool: pg.Pool;
  readonly #masters: MasterKeys;
  readonly #apiKeys: Keyring;
  /** Anchors the heads of event chains, and checks them. */
  readonly heads: HeadAnchors;
  /** Signs the daily seals of the event logs, and checks them. */
  readonly seals: SealSigner;
  /** Makes the access tokens of users, and reads them. */
  readonly accessTokens: SessionTokens;
  /** Makes the cookies of pages, and reads them. */
  readonly pageCookies: SessionTokens;
  readonly #tenants = new LRUCache<string, Promise<TenantKeys>>({
    max: KEPT_TENANTS,
    ttl: KEYS_KEPT_MINUTES * 60_000,
  });

  constructor({ pool, masters, apiKeys, environment }: VaultParts) {
    this.#pool = pool;
    this.#masters = masters;
    this.#apiKeys = apiKeys;
    this.heads = new HeadAnchors(apiKeys);
    this.seals = new SealSigner(apiKeys);
    this.accessTokens = new SessionTokens(apiKeys, environment, 'access-token');
    this.pageCookies = new SessionTokens(apiKeys, environment, 'page-cookie');
  }

  /** Creates the first keys of a new tenant: rows to be inserted in the transaction that inserts the tenant. */
  newTenantKeys(tenantId: string): VaultKeyRow[] {
    return [
      newVaultKey(this.#masters, { owner: tenantId, purpose: 'RECORDS', version: 1 }),
      newVaultKey(this.#masters, { owner: tenantId, purpose: 'TOKENS', version: 1 }),
    ];
  }

  /** Opens rows of `newTenantKeys` before they are committed, to seal the new tenant's first values. */
  openNewTenantKeys(rows: readonly VaultKeyRow[]): TenantKeys {
    return new TenantKeys(
      this.#masters,
      rows.map((row) => ({ ...row, settled: true })),
    );
  }

  /**
   * The keys of a tenant, cached for some minutes. With values to open, keys that lack the version of one are loaded
   * again, once. Throws NoTenantKeys.
   */
  async tenantKeys(tenantId: string, toOpen: readonly Buffer[] = []): Promise<TenantKeys> {
    const kept = this.#tenants.get(tenantId);
    if (!kept) return this.#loadTenantKeys(tenantId);
    const keys = await kept;
    if (toOpen.every((sealed) => keys.knows(sealed))) return keys;
    const others = this.#tenants.get(tenantId);
    // When many callers miss the same version, only the first one loads.
    return others && others !== kept ? others : this.#loadTenantKeys(tenantId);
  }

  /** Removes the keys of an erased tenant from the cache, including those being loaded. */
  dropTenant(tenantId: string): void {
    this.#tenants.delete(tenantId);
  }

  /** Removes the keys of all tenants from the cache, including those being loaded. */
  dropTenants(): void {
    this.#tenants.clear();
  }

  /** The keyed hash by which an API key is found (32 bytes). */
  apiKeyHash(text: string): Buffer {
    return createHmac('sha256', this.#apiKeys.current.secret).update(text).digest();
  }

  /**
   * A keyed hash of the deployment (32 bytes), different for each purpose: compares values of different tenants
   * without storing them.
   */
  deploymentHash(purpose: string, text: string): Buffer {
    return purposeHash(this.#apiKeys.current, purpose, text);
  }

  /**
   * Like deploymentHash, by every version of the key, the current one first. Each hash follows the number of its
   * version (36 bytes), so that hashes stored under an earlier version are found.
   */
  versionedHashes(purpose: string, text: string): [current: Buffer, ...earlier: Buffer[]] {
    const { current, byVersion } = this.#apiKeys;
    const earlier = [...byVersion.values()].filter(({ version }) => version !== current.version);
    return [
      versionedHash(current, purpose, text),
      ...earlier.map((key) => versionedHash(key, purpose, text)),
    ];
  }

  #loadTenantKeys(tenantId: string): Promise<TenantKeys> {
    const loading = this.#readTenantKeys(tenantId);
    this.#tenants.set(tenantId, loading);
    loading.catch(() => {
      if (this.#tenants.peek(tenantId) === loading) this.#tenants.delete(tenantId);
    });
    return loading;
  }

  async #readTenantKeys(tenantId: string): Promise<TenantKeys> {
    return new TenantKeys(this.#masters, await listVaultKeys(this.#pool, tenantId));
  }
}

function purposeHash(key: SealingKey, purpose: string, text: string): Buffer {
  return createHmac('sha256', purposeKey(key, purpose)).update(text).digest();
}

function versionedHash(key: SealingKey, purpose: string, text: string): Buffer {
  const version = Buffer.alloc(4);
  version.writeUInt32BE(key.version);
  return Buffer.concat([version, purposeHash(key, purpose, text)]);
}
