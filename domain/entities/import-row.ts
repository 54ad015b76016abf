import { z } from 'zod';
import { foldName } from '../fold.ts';
import type { DomainError } from '../errors.ts';
import { faultCode, faultText } from '../schema-faults.ts';
import { fileRefused, type RowFault } from '../row-fault.ts';
import { assessedRisk } from './change-entity.ts';
import type { EntityProfile, EntityRisk } from './entity.ts';
import { estimateRisk } from './risk.ts';
import { entityFields, EntitySource, EntitySourceId, riskFields } from './schema.ts';

/** What one file may hold, in bytes and entities. */
export const IMPORT_LIMITS = { fileBytes: 500 * 1024 * 1024, rows: 1_000_000 } as const;

/** An entity of a file, checked on its own; keys and masters are resolved in the database. */
export interface ImportedEntity extends EntityProfile, EntityRisk {
  row: number;
  /** Its id in this directory, if the file has one. */
  givenId: string | null;
  source: string;
  sourceId: string;
  givenMasterId: string | null;
  masterSourceId: string | null;
}

const Id = z.uuid().toLowerCase();

const ImportedFields = z
  .strictObject({
    ...z.object({ ...entityFields, ...riskFields }).partial().shape,
    name: entityFields.name,
    type: entityFields.type,
    id: Id.optional(),
    source: EntitySource.optional(),
    sourceId: EntitySourceId.optional(),
    masterEntityId: Id.optional(),
    masterSourceId: EntitySourceId.optional(),
  })
  .refine(({ masterEntityId, masterSourceId }) => !masterEntityId || !masterSourceId, {
    error: 'Name the master in one way.',
    path: ['masterSourceId'],
  });
type ImportedFields = z.output<typeof ImportedFields>;

/** The columns that a CSV file may have. */
export const IMPORT_COLUMNS: readonly string[] = Object.keys(ImportedFields.shape);

/** An entity of a file, or what is wrong with its row. */
export type CheckedEntity = { entity: ImportedEntity; faults: [] } | { entity: null; faults: RowFault[] };

export interface ImportContext {
  /** Row 1 of CSV is the header, row 1 of JSON the first entity. */
  row: number;
  /** The source of rows that have none. */
  source: string;
  now: Date;
}

/** An entity as JSON; null is no value. */
export function readImportValues(values: unknown, { row, source, now }: ImportContext): CheckedEntity {
  const parsed = ImportedFields.safeParse(withoutNulls(values), { error: faultText });
  if (!parsed.success) return refused(parsed.error.issues.flatMap((issue) => faultsOf(issue, row)));
  const fault = controlCharacters(parsed.data, row);
  return fault ? refused([fault]) : { entity: toImported(parsed.data, { row, source, now }), faults: [] };
}

function refused(faults: RowFault[]): CheckedEntity {
  return { entity: null, faults };
}

function withoutNulls(values: unknown): unknown {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return values;
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null));
}

function faultsOf(issue: z.core.$ZodIssue, row: number): RowFault[] {
  if (issue.code === 'unrecognized_keys') {
    return [{ row, field: null, code: 'unknown_field', message: 'The entity has an unknown field.' }];
  }
  const field = String(issue.path[0] ?? '') || null;
  return [{ row, field, code: faultCode(issue), message: issue.message }];
}

/** NUL cannot be stored, and half a character is none. */
function controlCharacters(fields: ImportedFields, row: number): RowFault | undefined {
  for (const [field, value] of Object.entries(fields)) {
    const texts = Array.isArray(value) ? value : [value];
    const isBad = texts.some((text) => typeof text === 'string' && /\0|\p{Surrogate}/u.test(text));
    if (isBad)
      return {
        row,
        field,
        code: 'invalid_characters',
        message: 'NUL and half of a surrogate pair are refused.',
      };
  }
  return undefined;
}

/** Without a key of its own an entity is known by its name, so that the same file again finds it again. */
function toImported(fields: ImportedFields, { row, source, now }: ImportContext): ImportedEntity {
  const { name, type, countries = [] } = fields;
  return {
    row,
    givenId: fields.id ?? null,
    source: fields.source ?? source,
    sourceId: fields.sourceId ?? foldName(name),
    givenMasterId: fields.masterEntityId ?? null,
    masterSourceId: fields.masterSourceId ?? null,
    name,
    type,
    countries,
    legalName: fields.legalName ?? null,
    aliases: fields.aliases ?? [],
    webpage: fields.webpage ?? null,
    email: fields.email ?? null,
    emailDomains: fields.emailDomains ?? [],
    lei: fields.lei ?? null,
    registrationNumber: fields.registrationNumber ?? null,
    travelAddress: fields.travelAddress ?? null,
    networks: fields.networks ?? [],
    ...(assessedRisk(fields, now) ?? estimateRisk({ type, countries, inNetwork: false })),
  };
}

/** The refusal of a file, with its faults. */
export function importRefused(faults: readonly RowFault[]): DomainError {
  return fileRefused(faults, 'The file has faults: nothing was imported.');
}
