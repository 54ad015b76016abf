import { isDeepStrictEqual } from 'node:util';
import { canonicalDecimal } from '../../domain/decimal.ts';
import type { Column } from '../columns.ts';
import type { RecordKey } from '../vault/record-key.ts';
import type { TenantKeys } from '../vault/tenant-keys.ts';
import type { ChainedRecord } from './chain-changes.ts';

/** The common properties of chained records with a key of their own. */
interface StoredRecord extends ChainedRecord {
  personal: object;
}

/** A record with the key that seals it. */
export interface OpenRecord<R> {
  record: R;
  key: RecordKey;
  wrappedKey: Buffer;
}

/**
 * A record ready to be written; `derived` holds the columns that the database finds it by. Null for personal data or
 * search tokens: a change that leaves them as they are stored.
 */
export interface SealedRecord<R, D> extends OpenRecord<R> {
  personal: Buffer | null;
  searchTokens: readonly bigint[] | null;
  derived: D;
}

/** A stored row as the driver gives it. */
export interface RecordRow {
  id: string;
  tenant_id: string;
  record_key: Buffer;
  personal: Buffer;
  [column: string]: unknown;
}

/** The column type of a property; a numeric one is an exact decimal text in the record. */
type FieldType = Column<unknown>['type'] | 'json';

/** Properties of a record by the type of their column; the column has the name of the property in snake case. */
type Fields<R> = Partial<Record<Exclude<keyof R & string, 'personal'>, FieldType>>;

interface RecordTableInput<R, D> {
  /** Fixed at creation. */
  identity: Fields<R>;
  /** Written anew with every change. */
  changing: Fields<R>;
  /** The keyed search tokens by which `q` finds a record that is not hidden; they depend on its personal data alone. */
  searchTokens: (record: R, keys: TenantKeys) => bigint[];
  /** Whether `q` must not find the record. */
  isHidden: (record: R) => boolean;
  /** Computed from the record for the database to find it by; never read back. `keys` are its tenant's. */
  derive: (record: R, keys: TenantKeys) => D;
  derivedColumns: readonly Column<D>[];
  /** Additional authenticated data of the record's wrapped key and of its personal data. */
  context: Record<'key' | 'personal', (record: { tenantId: string; id: string }) => string>;
}

/** How records of one kind are stored: their columns, and the conversions between record and row. */
export interface RecordTable<R, D> {
  /** All columns of a new row. */
  columns: readonly Column<SealedRecord<R, D>>[];
  /** The columns that a change writes, with the key columns `id` and `tenant_id` last. */
  updateColumns: readonly Column<SealedRecord<R, D>>[];
  /** SQL: the assignments of an update of the table `t` from rows `r` of `updateColumns`. */
  setList: string;
  /** SQL: the columns that a record is read from, of a table that the query calls `alias`. */
  readColumns: (alias?: string) => string;
  /** Gives a new record a key of its own. `keys` are its tenant's. */
  withNewKey: (record: R, keys: TenantKeys) => OpenRecord<R>;
  seal: (open: OpenRecord<R>, keys: TenantKeys) => SealedRecord<R, D>;
  /** Like seal, for a change of the stored record `before`: what did not change is not sealed again. */
  reseal: (open: OpenRecord<R>, before: R, keys: TenantKeys) => SealedRecord<R, D>;
  /** Opens a stored row. `keys` are its tenant's. */
  open: (row: RecordRow, keys: TenantKeys) => OpenRecord<R>;
}

/** Describes how records of one kind are stored. Personal data is sealed with a separate key for each record. */
export function recordTable<R extends StoredRecord, D>(input: RecordTableInput<R, D>): RecordTable<R, D> {
  const { context, isHidden } = input;
  const recordKey: Column<SealedRecord<R, D>> = {
    name: 'record_key',
    type: 'bytea',
    value: (row) => row.wrappedKey,
  };
  const personal: Column<SealedRecord<R, D>> = {
    name: 'personal',
    type: 'bytea',
    value: (row) => row.personal,
  };
  const searchTokens = searchTokensColumn<R, D>();
  const identity = [...fieldColumns<R, D>(input.identity), recordKey];
  const fields = [...fieldColumns<R, D>(input.changing), personal];
  const derived = input.derivedColumns.map((column) => ({
    ...column,
    value: (row: SealedRecord<R, D>) => column.value(row.derived),
  }));
  const changing: Column<SealedRecord<R, D>>[] = [...fields, ...derived, searchTokens];
  const keyColumns = identity.filter(({ name }) => name === 'id' || name === 'tenant_id');
  const read = [...identity, ...fields].map(({ name }) => name);
  const toRecord = recordReader({ ...input.identity, ...input.changing });
  const seal = (open: OpenRecord<R>, keys: TenantKeys): SealedRecord<R, D> => ({
    ...open,
    personal: open.key.seal(context.personal(open.record), open.record.personal),
    searchTokens: isHidden(open.record) ? [] : input.searchTokens(open.record, keys),
    derived: input.derive(open.record, keys),
  });
  return {
    columns: [...identity, ...changing],
    updateColumns: [...changing, ...keyColumns],
    setList: changing.map(assignmentOf).join(', '),
    readColumns: (alias) => read.map((name) => (alias ? `${alias}.${name}` : name)).join(', '),
    withNewKey(record, keys) {
      const { key, wrapped } = keys.newRecordKey(context.key(record));
      return { record, key, wrappedKey: wrapped };
    },
    seal,
    reseal(open, before, keys) {
      if (!isDeepStrictEqual(open.record.personal, before.personal)) return seal(open, keys);
      const isFound = isHidden(open.record) === isHidden(before);
      const derived = input.derive(open.record, keys);
      return isFound
        ? { ...open, personal: null, searchTokens: null, derived }
        : { ...seal(open, keys), personal: null };
    },
    open(row, keys) {
      const ref = { tenantId: row.tenant_id, id: row.id };
      const key = keys.openRecordKey(row.record_key, context.key(ref));
      const opened = { ...toRecord(row), personal: key.open<object>(context.personal(ref), row.personal) };
      return { record: opened as unknown as R, key, wrappedKey: row.record_key };
    },
  };
}

/** The keyed search tokens by which `q` finds a record. */
function searchTokensColumn<R, D>(): Column<SealedRecord<R, D>> {
  return {
    name: 'search_tokens',
    type: 'text',
    cast: 'bigint[]',
    value: ({ searchTokens }) => searchTokens && `{${searchTokens.join(',')}}`,
  };
}

/** The columns that an update leaves as they are stored where it has null. */
const KEPT = ['personal', 'search_tokens'];

function assignmentOf({ name, cast }: Column<never>): string {
  const given = `r.${name}${cast ? `::${cast}` : ''}`;
  return `${name} = ${KEPT.includes(name) ? `coalesce(${given}, t.${name})` : given}`;
}

function fieldColumns<R, D>(fields: Fields<R>): Column<SealedRecord<R, D>>[] {
  return Object.entries<FieldType>(fields as Record<string, FieldType>).map(([property, type]) => {
    const read = (row: SealedRecord<R, D>): unknown => row.record[property as keyof R];
    if (type !== 'json') return { name: snakeCase(property), type, value: read };
    return { name: snakeCase(property), type: 'text', cast: 'jsonb', value: (row) => jsonText(read(row)) };
  });
}

function jsonText(value: unknown): string | null {
  return value === null ? null : JSON.stringify(value);
}

/** Reads the properties of a row; a numeric one as its canonical decimal text. */
function recordReader(fields: object): (row: RecordRow) => Record<string, unknown> {
  const properties = Object.entries(fields).map(([property, type]) => ({
    property,
    name: snakeCase(property),
    isDecimal: type === 'numeric',
  }));
  return (row) => {
    const record: Record<string, unknown> = {};
    for (const { property, name, isDecimal } of properties) {
      const value = row[name];
      record[property] = isDecimal && typeof value === 'string' ? canonicalDecimal(value) : value;
    }
    return record;
  };
}

function snakeCase(property: string): string {
  return property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
