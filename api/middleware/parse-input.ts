import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import { invalidRequest, notFound, type DomainError, type FieldError } from '../../domain/errors.ts';
import { faultCode, faultText, unknownFields } from '../../domain/schema-faults.ts';
import type { Endpoint } from '../endpoint.ts';
import { withoutEmptyTexts } from '../../domain/json/read-json.ts';
import { toPointer, unusableValues } from '../../domain/json/unusable-values.ts';
import { parseJson, requireJsonType } from '../read-body.ts';

const ERRORS_LIMIT = 100;
/** Filters take several values; no list has as many filters. */
const PARAMETERS_LIMIT = 200;

/** Parses the path parameters. Throws not_found for every fault, because a malformed id cannot name a record. */
export function parseParams(endpoint: Endpoint, given: unknown): Record<string, unknown> {
  const parsed = endpoint.params.safeParse(given);
  if (!parsed.success || unusableValues(given).length > 0) throw notFound('record');
  return parsed.data;
}

/** Parses the query of a request target. Throws validation_failed with pointers to parameters, such as `/_sort`. */
export function parseQuery(endpoint: Endpoint, target: string): unknown {
  const mark = target.indexOf('?');
  const given = readQuery(mark < 0 ? '' : target.slice(mark + 1));
  return parseBy(endpoint.query, given, (pointer) => pointer.replace(/(?<=.)\/.*/s, ''));
}

/**
 * Parses the JSON body. An absent body is `{}` if the endpoint allows that. Throws validation_failed, malformed_json,
 * unsupported_media_type.
 */
export function parseBody(endpoint: Endpoint, raw: Buffer, headers: IncomingHttpHeaders): unknown {
  if (raw.length === 0) return parseBy(endpoint.body, endpoint.bodyOptional ? {} : parseJson(raw));
  requireJsonType(headers);
  const given = parseJson(raw, endpoint.bodyBytes);
  return parseBy(endpoint.body, endpoint.dropsEmptyTexts ? withoutEmptyTexts(given) : given);
}

/** Parses a value from the parts of a form by a schema. Throws validation_failed with the same faults as for a body. */
export function parseValue<S extends z.ZodType>(schema: S, given: unknown): z.output<S> {
  return parseBy(schema, given) as z.output<S>;
}

type ShortenIssue = (pointer: string) => string;

function parseBy(schema: z.ZodType, given: unknown, shorten: ShortenIssue = (pointer) => pointer): unknown {
  const refuse = (errors: FieldError[]) =>
    invalidInput(errors.map((error) => ({ ...error, pointer: shorten(error.pointer) })));
  const unusable = unusableValues(given);
  // Checked before the schema: a recursive schema would overflow the stack on a value that is nested too deeply.
  if (unusable.length > 0) throw refuse(unusable);
  const parsed = schema.safeParse(given, { error: faultText });
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues.flatMap((issue) => fieldErrors(issue, given)));
}

function invalidInput(errors: FieldError[]): DomainError {
  return invalidRequest(errors.slice(0, ERRORS_LIMIT));
}

/**
 * Reads the names and values of a query into an object without prototype. The value of a repeated name is an array. Throws
 * validation_failed for more than 200 of them.
 */
function readQuery(text: string): Record<string, unknown> {
  const values: Record<string, string | string[]> = Object.create(null) as Record<string, never>;
  const pairs = text.split('&', PARAMETERS_LIMIT + 1);
  if (pairs.length > PARAMETERS_LIMIT) throw tooManyParameters();
  for (const pair of pairs.filter(Boolean)) {
    const [name, value] = readPair(pair);
    const earlier = values[name];
    if (Array.isArray(earlier)) earlier.push(value);
    else values[name] = earlier === undefined ? value : [earlier, value];
  }
  return values;
}

function tooManyParameters(): DomainError {
  const message = `A query has at most ${PARAMETERS_LIMIT} parameters.`;
  return invalidInput([{ pointer: '', code: 'too_many', message }]);
}

function readPair(pair: string): [name: string, value: string] {
  const [name, value] = pair.replaceAll('+', ' ').split(/=(.*)/s, 2);
  try {
    return [decodeURIComponent(name ?? ''), decodeURIComponent(value ?? '')];
  } catch {
    throw invalidInput([
      { pointer: '', code: 'invalid_encoding', message: 'The query is not percent-encoded UTF-8.' },
    ]);
  }
}

/** Turns a zod issue into field errors. */
function fieldErrors(issue: z.core.$ZodIssue, given: unknown): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return unknownFields(issue, ERRORS_LIMIT).map(({ name, message }) => ({
      pointer: toPointer([...issue.path, name]),
      code: 'unknown_field',
      message,
    }));
  }
  const nested = issue.code === 'invalid_union' ? nearestBranch(issue) : [];
  if (nested.length > 0) return nested.flatMap((inner) => fieldErrors(inner, given));
  const missing = isMissing(given, issue.path) && { code: 'required', message: 'This field is required.' };
  return [{ pointer: toPointer(issue.path), code: faultCode(issue), message: issue.message, ...missing }];
}

/** The issues of the first union member whose shape the value has; none if the value fits no member. */
function nearestBranch({ errors, path }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  const branch = errors.find((issues) => issues.every((issue) => issue.path.length > 0)) ?? [];
  return branch.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
}

function isMissing(given: unknown, path: readonly PropertyKey[]): boolean {
  let value = given;
  for (const part of path) {
    value = typeof value === 'object' && value !== null ? (Reflect.get(value, part) as unknown) : undefined;
  }
  return path.length > 0 && value === undefined;
}
