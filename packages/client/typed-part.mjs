import { createHash } from 'node:crypto';

/**
 * The part of an OpenAPI document that the client's types are made of: parameters, bodies, and the answers to accepted
 * requests. Problems have one schema, headers are read by the client, examples are for readers of the reference.
 */
export function typedPartOf({ openapi, paths, components }) {
  const operations = ([method, { summary, description, parameters, requestBody, responses }]) => [
    method,
    {
      ...(summary && { summary }),
      ...(description && { description }),
      parameters: parameters
        .map((parameter) => resolved(parameter, components))
        .filter((parameter) => parameter.in !== 'header'),
      ...(requestBody && { requestBody }),
      responses: mapped(responses, ([status, { content }]) =>
        status.startsWith('2') ? [[status, { description: '', ...(content && { content }) }]] : [],
      ),
    },
  ];
  const info = { title: 'Waybill', version: '' };
  const part = {
    openapi,
    info,
    paths: mapped(paths, ([path, item]) => [[path, mapped(item, (entry) => [operations(entry)])]]),
    components: { schemas: mapped(components.schemas, ([name, schema]) => [[name, plain(name, schema)]]) },
  };
  return exact(part);
}

/** SHA-256 of what the types are made of, in hex: equal for documents that give the same types. */
export function hashOf(document) {
  return createHash('sha256')
    .update(JSON.stringify(typedPartOf(document)))
    .digest('hex');
}

/** A parameter that several operations have may be a component. */
function resolved(parameter, components) {
  return '$ref' in parameter ? components.parameters[parameter.$ref.split('/').at(-1)] : parameter;
}

function mapped(object, entriesOf) {
  return Object.fromEntries(Object.entries(object).flatMap(entriesOf));
}

/** Any JSON, written as a schema that refers to itself: the generator's type for it does not compile. */
function plain(name, schema) {
  const isAnyJson = schema.anyOf?.some((member) => member.items?.$ref?.endsWith(`/${name}`));
  return isAnyJson ? {} : schema;
}

/** Without examples, and with exact amounts: as text alone where a request may have a number, too. */
function exact(value) {
  if (Array.isArray(value)) return value.map((member) => exact(member));
  if (typeof value !== 'object' || value === null) return value;
  return mapped(value, ([key, member]) => {
    if (key === 'example' || key === 'examples') return [];
    if (key !== 'amount') return [[key, exact(member)]];
    return [[key, 'amountDecimal' in value ? { ...member, ...INEXACT } : textOnly(member)]];
  });
}

const INEXACT = { deprecated: true, description: 'Exact to 15 digits only: read `amountDecimal`.' };

function textOnly(amount) {
  if (Array.isArray(amount.type) && amount.type.includes('string')) {
    return { ...amount, type: amount.type.filter((type) => type !== 'number') };
  }
  if (amount.anyOf?.some(({ type }) => type === 'string')) {
    return { ...amount, anyOf: amount.anyOf.filter(({ type }) => type !== 'number') };
  }
  return amount;
}
