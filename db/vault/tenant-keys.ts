import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { keyVersionOf, seal, unseal } from './cipher.ts';
import { keyOfVersion, openKeyring, type Keyring } from './keyring.ts';
import type { MasterKeys } from './master-key.ts';
import { RecordKey } from './record-key.ts';
import { fromJsonBytes, jsonBytes } from './sealed-json.ts';
import { TokenMaker } from './token-maker.ts';
import type { StoredVaultKey } from './vault-keys.ts';

/** The texts of all tenants whose tokens a process keeps; those of a name of twenty tokens take 1 KB. */
const KEPT_TEXTS = 20_000;
// One for all tenants, since a cache of its own for each would take more memory than its keys.
const keptTokens = new LRUCache<string, readonly bigint[]>({ max: KEPT_TEXTS });
let lastNumber = 0;

/** The tenant has no keys: it was erased or never created. */
export class NoTenantKeys extends Error {
  override name = 'NoTenantKeys';
}

/**
 * The loaded keys of one tenant. A context names the table, column and row of a value; the value opens under no other
 * context.
 */
export class TenantKeys {
  readonly #records: Keyring;
  readonly #tokens: Keyring;
  #tokenMaker: TokenMaker | undefined;
  /** Tells the kept tokens of these keys from those of other tenants and of other versions. */
  readonly #number = (lastNumber += 1);

  /** Unwraps the tenant's stored keys. Throws NoTenantKeys, DeploymentMismatch. */
  constructor(masters: MasterKeys, rows: readonly StoredVaultKey[]) {
    const records = openKeyring(masters, rows, 'RECORDS');
    const tokens = openKeyring(masters, rows, 'TOKENS');
    if (!records || !tokens) throw new NoTenantKeys('This tenant has no keys.');
    this.#records = records;
    this.#tokens = tokens;
  }

  /** A new record's data key, and its wrapped copy to be stored with the record. */
  newRecordKey(recordContext: string): { key: RecordKey; wrapped: Buffer } {
    const secret = randomBytes(32);
    const wrapped = seal(this.#records.current, keyContext(recordContext), secret);
    return { key: new RecordKey(secret), wrapped };
  }

  /** The data key of a stored record. Throws SealedValueError. */
  openRecordKey(wrapped: Buffer, recordContext: string): RecordKey {
    return new RecordKey(this.#unseal(keyContext(recordContext), wrapped));
  }

  /** Seals a JSON value directly under the tenant's key: for values that belong to no record. */
  seal(context: string, value: unknown): Buffer {
    return this.sealBytes(context, jsonBytes(value));
  }

  /** Opens what `seal` made for the same context. Throws SealedValueError. */
  open<T>(context: string, sealed: Buffer): T {
    return fromJsonBytes<T>(this.openBytes(context, sealed));
  }

  sealBytes(context: string, plain: Uint8Array): Buffer {
    return seal(this.#records.current, dataContext(context), plain);
  }

  openBytes(context: string, sealed: Buffer): Buffer {
    return this.#unseal(dataContext(context), sealed);
  }

  /** The search token of one normalised term, for a bigint column or parameter. */
  token(field: string, term: string): bigint {
    // Made when it is needed first: most of what loads a tenant's keys makes no tokens.
    this.#tokenMaker ??= new TokenMaker(this.#tokens.current.secret);
    return this.#tokenMaker.token(field, term);
  }

  tokens(field: string, terms: readonly string[]): bigint[] {
    return terms.map((term) => this.token(field, term));
  }

  /** Like `tokens` of `termsOf(text)`, for a text that recurs in record after record, as the names of VASPs do: they are kept. */
  recurringTokens(
    field: string,
    text: string,
    termsOf: (text: string) => readonly string[],
  ): readonly bigint[] {
    const name = `${this.#number}\0${field}\0${text}`;
    const kept = keptTokens.get(name);
    if (kept) return kept;
    const tokens = this.tokens(field, termsOf(text));
    keptTokens.set(name, tokens);
    return tokens;
  }

  /** Whether the key version that sealed this value or record key is loaded. */
  knows(sealed: Buffer): boolean {
    return this.#records.byVersion.has(keyVersionOf(sealed));
  }

  #unseal(context: string, sealed: Buffer): Buffer {
    return unseal(keyOfVersion(this.#records, keyVersionOf(sealed)), context, sealed);
  }
}

// Record keys and tenant values are sealed by the same key: the prefixes keep a wrapped record key from opening as a
// value.
function keyContext(context: string): string {
  return `key:${context}`;
}

function dataContext(context: string): string {
  return `data:${context}`;
}
