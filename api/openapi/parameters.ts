import { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { parameterRef } from './components.ts';
import { describeParameter } from './glossary.ts';
import { toJsonSchema, type JsonSchema, type SchemaTable } from './schema-table.ts';

type JsonObject = Record<string, unknown>;

/** The parameters of an operation: path, query and the headers that its declaration implies. */
export function parametersOf(endpoint: Endpoint, table: SchemaTable): JsonObject[] {
  const { params, query, idempotency, responses } = endpoint;
  const isCounted = Object.values(responses).some(({ headers }) => headers?.['X-Total-Count']);
  const inPath = members(params, table).map((member) => ({ ...member, in: 'path', required: true }));
  const inQuery = members(query, table).map((member) => ({ ...member, in: 'query' }));
  return [
    ...[...inPath, ...inQuery].map((parameter) => describe(parameter, endpoint)),
    ...(idempotency === 'NONE' ? [] : [parameterRef('IdempotencyKey')]),
    ...(isCounted ? [parameterRef('Prefer')] : []),
  ];
}

interface Parameter {
  name: string;
  in?: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** The members of an object schema as OpenAPI parameters, without `in`. */
function members(schema: z.ZodType, table: SchemaTable): Parameter[] {
  const { properties = {}, required = [] } = toJsonSchema(schema, table);
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema: property,
  }));
}

const SEVERAL = 'Several values are separated by commas, or the parameter is repeated.';

/** Adds the description of the glossary where the schema has none, and the value of the endpoint's example. */
function describe(parameter: Parameter, { path, example }: Endpoint): JsonObject {
  const values = { ...(example?.params as object), ...(example?.query as object) };
  const given: unknown = Reflect.get(values, parameter.name);
  const own = parameter.description ?? describeParameter(path, parameter.name);
  const takesSeveral = parameter.schema.type === 'array';
  const description = takesSeveral && own !== undefined ? `${own} ${SEVERAL}` : own;
  return {
    ...parameter,
    ...(description !== undefined && { description }),
    ...(given !== undefined && { example: given }),
  };
}
