import { takesBody, type Endpoint } from '../endpoint.ts';
import type { PartRule, PartRules } from '../uploads/part-rule.ts';
import { addSchema, schemaRef, toJsonSchema, type JsonSchema, type SchemaTable } from './schema-table.ts';

type JsonObject = Record<string, unknown>;

/** The `requestBody` of an operation: JSON, a form, or a choice of both. Empty if it takes neither. */
export function bodyOf(endpoint: Endpoint, table: SchemaTable): JsonObject {
  const { bodyOptional, multipart } = endpoint;
  const isJson = takesBody(endpoint);
  if (!isJson && !multipart) return {};
  const content = {
    ...(isJson && { 'application/json': jsonBody(endpoint, table) }),
    ...(multipart && { 'multipart/form-data': formBody(endpoint, multipart, table) }),
  };
  return { requestBody: { required: isJson ? !bodyOptional : true, content } };
}

function jsonBody({ body, example }: Endpoint, table: SchemaTable): JsonObject {
  return {
    schema: toJsonSchema(body, table),
    ...(example?.body !== undefined && { example: example.body }),
  };
}

function formBody({ operationId, example }: Endpoint, rules: PartRules, table: SchemaTable): JsonObject {
  const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Form`;
  addSchema(table, name, {
    type: 'object',
    required: Object.keys(rules).filter((part) => rules[part]?.required),
    properties: Object.fromEntries(Object.entries(rules).map(([part, rule]) => [part, formPart(rule)])),
  });
  return { schema: schemaRef(name), ...(example?.form && { example: example.form }) };
}

function formPart({ kind, description, maxCount }: PartRule): JsonSchema {
  const file = { format: 'binary', contentMediaType: 'application/octet-stream' };
  const part = { type: 'string', ...(kind === 'FILE' && file) };
  return maxCount === 1
    ? { ...part, description }
    : { type: 'array', items: part, maxItems: maxCount, description };
}
