import type { z } from 'zod';
import type { Endpoint } from '../endpoint.ts';
import { listQuery } from '../../domain/list-query.ts';
import { parameterRef } from './components.ts';
import { describeQuery, pathParameter } from './glossary.ts';
import { toJsonSchema, type JsonSchema, type SchemaTable } from './schema-table.ts';

type JsonObject = Record<string, unknown>;

const SEVERAL = 'Several values are separated by commas, or the parameter is repeated.';

/** The parameters of an operation: path, query and the headers that its declaration implies. */
export function parametersOf(endpoint: Endpoint, table: SchemaTable): JsonObject[] {
  const { path, params, query, example, idempotency, responses } = endpoint;
  const isCounted = Object.values(responses).some(({ headers }) => headers?.['X-Total-Count']);
  return [
    ...members(params, table).map((parameter) => inPath(parameter, path)),
    ...members(query, table).map(
      (parameter) => pageParameter(parameter) ?? inQuery(parameter, example?.query ?? {}),
    ),
    ...(idempotency === 'NONE' ? [] : [parameterRef('IdempotencyKey')]),
    ...(isCounted ? [parameterRef('Prefer')] : []),
  ];
}

interface Parameter {
  name: string;
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

const PAGE_NAMES: Readonly<Record<string, string>> = {
  _start: 'PageStart',
  _end: 'PageEnd',
  _order: 'PageOrder',
};

/** The query parameters that every list has, as components of the document. */
export const PAGE_PARAMETERS: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  members(listQuery({ sortable: ['createdAt'], filters: {} }), {}).flatMap((parameter) => {
    const name = PAGE_NAMES[parameter.name];
    return name === undefined ? [] : [[name, inQuery(parameter, {})]];
  }),
);

/** The reference to a parameter of every list; undefined for any other. */
function pageParameter({ name }: Parameter): JsonObject | undefined {
  const component = PAGE_NAMES[name];
  return component === undefined ? undefined : parameterRef(component);
}

/** Adds the description and the example of the glossary. */
function inPath(parameter: Parameter, path: string): JsonObject {
  return { ...parameter, in: 'path', required: true, ...pathParameter(path, parameter.name) };
}

/** Adds the description of the glossary where the schema has none, and the value of the endpoint's example. */
function inQuery(parameter: Parameter, query: object): JsonObject {
  const own = parameter.description ?? describeQuery(parameter.name);
  const takesSeveral = parameter.schema.type === 'array';
  const description = takesSeveral && own !== undefined ? `${own} ${SEVERAL}` : own;
  const example: unknown = Reflect.get(query, parameter.name);
  return {
    ...parameter,
    in: 'query',
    ...(description !== undefined && { description }),
    ...(example !== undefined && { example }),
  };
}
