import { DomainError, invalidRequest, type FieldError } from '../errors.ts';
import { countMembers, outlineOf } from './json-outline.ts';
import { DEPTH_LIMIT } from './unusable-values.ts';

/** A text of more levels is not parsed to name the place: that would cost more than any other body. */
const PARSED_LEVELS = 1_000;
/** Fields, objects and lists together: many small ones cost more than the same bytes in few. */
const PARTS_LIMIT = 2_000;
/** Twice what the longest list of any request may have. */
const LIST_LIMIT = 2_000;

/**
 * Reads a JSON text of another party. Throws malformed_json, also for a name that an object has twice, of which parsers keep
 * either one, and validation_failed for too many parts, for a list of more than 2,000 items and for nesting far beyond 32 levels,
 * whatever else is wrong; `unusableValues` finds the other levels that are too deep.
 */
export function readJson(text: string, maxParts = PARTS_LIMIT): unknown {
  const limits = { levels: PARSED_LEVELS, parts: maxParts, commas: LIST_LIMIT - 1 };
  const { members, containers, deepest, mostCommas, isClosed } = outlineOf(text, limits);
  if (deepest > limits.levels) throw unreadable('too_deep', `Nesting ends at ${DEPTH_LIMIT} levels.`);
  if (members + containers > maxParts)
    throw unreadable('too_many', `A body has at most ${maxParts} fields, objects and lists together.`);
  if (mostCommas > limits.commas) throw unreadable('too_many', `A list has at most ${LIST_LIMIT} items.`);
  const value = isClosed ? parseText(text) : undefined;
  if (value === undefined) throw malformedJson('The body is not a JSON text.');
  if (countMembers(value) !== members) throw malformedJson('An object has the same name twice.');
  return value;
}

/** The parsed text; undefined if it is not JSON. The parser's message is dropped, because it quotes the text. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A fault of a body as a whole. */
export function wholeBody(code: string, message: string): FieldError {
  return { pointer: '', code, message };
}

function unreadable(code: string, message: string): DomainError {
  return invalidRequest([wholeBody(code, message)]);
}

/** The refusal of a text that is no JSON. */
export function malformedJson(message: string): DomainError {
  return new DomainError('malformed_json', message, { errors: [wholeBody('malformed_json', message)] });
}

/** A read value without members and items that are empty texts, which other products write for what they do not have. */
export function withoutEmptyTexts(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== '').map(withoutEmptyTexts);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== '');
  return Object.fromEntries(members.map(([name, member]) => [name, withoutEmptyTexts(member)]));
}
