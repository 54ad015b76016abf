import { z } from 'zod';
import { describeField } from './glossary.ts';

/** A schema of the OpenAPI document, as far as this module reads it. */
export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  additionalProperties?: JsonSchema | boolean;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
}

/** The named schemas of the document, collected while its operations are written. */
export type SchemaTable = Record<string, JsonSchema>;

export function schemaRef(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

/**
 * Converts a schema to JSON Schema; schemas with an id become entries of the table; throws TypeError if two of them differ. It describes the value on the wire,
 * before parsing. Parsing does not change an answer, so one entry serves requests and answers.
 */
export function toJsonSchema(schema: z.ZodType, table: SchemaTable): JsonSchema {
  const converted = z.toJSONSchema(schema, { io: 'input', override: tidy });
  const { $schema: _, $defs = {}, ...root } = withComponents(converted);
  for (const [id, definition] of Object.entries($defs as SchemaTable)) addSchema(table, id, definition);
  return root;
}

/** Adds a named schema. Throws TypeError if another one has the name. */
export function addSchema(table: SchemaTable, name: string, schema: JsonSchema): void {
  const known = table[name];
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
    throw new TypeError(`two schemas have the name ${name}`);
  }
  table[name] = schema;
}

interface Converted {
  zodSchema: z.core.$ZodTypes;
  jsonSchema: z.core.JSONSchema.BaseSchema;
}

/**
 * Drops zod's long pattern where a format says the same, and its limits of whole numbers, which JSON has by itself. Adds
 * the default of a number that a query writes as text: zod leaves out every default that is parsed.
 */
function tidy({ zodSchema, jsonSchema }: Converted): void {
  if (jsonSchema.format) delete jsonSchema.pattern;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  const { def } = zodSchema._zod;
  if (def.type === 'default' && typeof def.defaultValue === 'number') jsonSchema.default ??= def.defaultValue;
}

function withComponents(schema: object): JsonSchema {
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', '"#/components/schemas/');
  return JSON.parse(text, (_, value: unknown) => withOneType(value)) as JsonSchema;
}

/** A schema of several types as a choice: client generators know a list of types only where its second one is null. */
function withOneType(value: unknown): unknown {
  const { type, ...rest } = (value ?? {}) as JsonSchema;
  if (!Array.isArray(type) || type.filter((each) => each !== 'null').length < 2) return value;
  return { anyOf: type.map((each) => ({ type: each })), ...rest };
}

/**
 * Gives every object inside a named schema a name of its own, made of the names that lead to it (`TransactionVaspInfo`),
 * and describes each field that lacks a description by the glossary. Throws TypeError if two would get one name.
 */
export function finishSchemas(table: SchemaTable): void {
  const named = new Map<string, string>();
  for (const [name, schema] of Object.entries(table)) nameObjectsIn(schema, { table, named, path: name });
  for (const [name, schema] of Object.entries(table)) describeFields(name, schema);
}

interface Naming {
  table: SchemaTable;
  /** The names given so far, by the field and the content of the object. */
  named: Map<string, string>;
  /** The name of the schema, or of its field, that is looked at. */
  path: string;
}

function nameObjectsIn(schema: JsonSchema, naming: Naming): void {
  for (const [field, value] of Object.entries(schema.properties ?? {})) {
    nameObject(value, field, { ...naming, path: naming.path + pascal(field) });
  }
  for (const variant of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) {
    if (variant.properties) hoist(variant, '', { ...naming, path: naming.path + variantName(variant) });
    else nameObjectsIn(variant, naming);
  }
  const { items, additionalProperties } = schema;
  if (items) nameObject(items, '', naming);
  if (typeof additionalProperties === 'object') nameObject(additionalProperties, '', naming);
}

/** Names the object that a field holds, itself or in a list, a map, or a choice with null. */
function nameObject(value: JsonSchema, field: string, naming: Naming): void {
  if (value.properties) {
    hoist(value, field, naming);
    return;
  }
  const { items, additionalProperties } = value;
  const singular = { ...naming, path: naming.path.replace(/ies$/, 'y').replace(/s$/, '') };
  if (items) nameObject(items, field, singular);
  if (typeof additionalProperties === 'object') nameObject(additionalProperties, field, singular);
  const variants = [...(value.anyOf ?? []), ...(value.oneOf ?? [])];
  const objects = variants.filter(({ properties }) => properties);
  for (const variant of variants) {
    const suffix = objects.length > 1 && variant.properties ? variantName(variant) : '';
    nameObject(variant, field, { ...naming, path: naming.path + suffix });
  }
}

/** Moves an object into the table and leaves a reference with its description. */
function hoist(value: JsonSchema, field: string, naming: Naming): void {
  const { description, ...object } = value;
  const content = `${field} ${JSON.stringify(object)}`;
  const name = naming.named.get(content) ?? naming.path;
  if (!naming.named.has(content)) {
    if (naming.table[name]) throw new TypeError(`two schemas would have the name ${name}`);
    naming.named.set(content, name);
    naming.table[name] = object;
    nameObjectsIn(object, { ...naming, path: name });
  }
  for (const keyword of Object.keys(value)) Reflect.deleteProperty(value, keyword);
  Object.assign(value, schemaRef(name), description !== undefined && { description });
}

/** The word that tells one variant of a choice from the others: its constant, or its first field. */
function variantName({ properties = {} }: JsonSchema): string {
  const constants = Object.values(properties).map((property) => property.const);
  const constant = constants.find((value) => typeof value === 'string');
  return pascal(String(constant ?? Object.keys(properties)[0]));
}

/** `SIGNATURE_PROOF` is `SignatureProof`, `vaspInfo` is `VaspInfo`. */
function pascal(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).map((word) => (/[a-z]/.test(word) ? word : word.toLowerCase()));
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function describeFields(name: string, schema: JsonSchema): void {
  for (const [field, value] of Object.entries(schema.properties ?? {})) {
    const description = value.description ?? describeField(name, field);
    if (description !== undefined) value.description = description;
  }
}
