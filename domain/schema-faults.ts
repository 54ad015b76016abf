import { z } from 'zod';
import { nearestName } from './near-name.ts';

/** The names that a schema knows, by the list of unknown names that its issue has. */
const knownNames = new WeakMap<readonly string[], readonly string[]>();

/** More names are not listed in a message. */
const LISTED_NAMES = 40;

/**
 * The product's own wording of a schema's issues, for `safeParse(given, { error: faultText })`. Texts that a schema gives
 * itself win. No text quotes what was given.
 */
export const faultText: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_TEXTS[issue.expected] ?? 'A value of another type is expected.';
    case 'too_big':
      return limitText(issue.origin, `at most ${issue.maximum}`, Number(issue.maximum));
    case 'too_small':
      return limitText(issue.origin, `at least ${issue.minimum}`, Number(issue.minimum));
    case 'invalid_format':
      return FORMAT_TEXTS[issue.format] ?? 'The text does not have the expected form.';
    case 'invalid_value':
      return valuesText(issue.values);
    case 'not_multiple_of':
      return `A multiple of ${issue.divisor} is expected.`;
    case 'unrecognized_keys':
      rememberNames(issue.keys, issue.inst);
      return 'There is no such field.';
    case 'invalid_union':
      return Array.isArray(issue['options'])
        ? valuesText(issue['options'])
        : 'None of the accepted types fits.';
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
      return 'This value is not accepted.';
  }
};

/** The product's own code of a schema's issue; a check that a schema makes itself names it as `params.code`. */
export function faultCode(issue: z.core.$ZodIssue): string {
  // With `options`, the field that says which member of the union it is has none of their values.
  if (issue.code === 'invalid_union') return 'options' in issue ? 'invalid_value' : 'invalid_type';
  if (issue.code !== 'custom') return issue.code;
  const code: unknown = issue.params?.['code'];
  return typeof code === 'string' ? code : 'invalid';
}

const TYPE_TEXTS: Readonly<Record<string, string>> = {
  string: 'A text is expected.',
  number: 'A number is expected.',
  int: 'A whole number is expected.',
  boolean: 'true or false is expected.',
  array: 'A list is expected.',
  object: 'An object is expected.',
  record: 'An object is expected.',
};

const FORMAT_TEXTS: Readonly<Record<string, string>> = {
  email: 'An e-mail address is expected.',
  url: 'A web address is expected.',
  uuid: 'A UUID is expected.',
  date: 'A date (YYYY-MM-DD) is expected.',
  datetime: 'An ISO 8601 timestamp is expected.',
};

function limitText(origin: string, limit: string, count: number): string {
  const unit = UNITS[origin];
  return unit ? `The ${unit[0]} has ${limit} ${count === 1 ? unit[1] : unit[2]}.` : `The number is ${limit}.`;
}

const UNITS: Readonly<Record<string, readonly [what: string, one: string, many: string]>> = {
  string: ['text', 'character', 'characters'],
  array: ['list', 'entry', 'entries'],
};

function valuesText(values: readonly unknown[]): string {
  const texts = values.map(String);
  return texts.length === 1 ? `${texts[0]} is expected.` : `One of ${texts.join(', ')} is expected.`;
}

function rememberNames(unknown: readonly string[], schema: unknown): void {
  if (schema instanceof z.ZodObject) knownNames.set(unknown, Object.keys(schema.shape));
}

/** A field of a request that there is none of. */
export interface UnknownField {
  name: string;
  message: string;
}

/** The unknown fields of an issue that `faultText` has worded, up to `limit`, each with what was probably meant. */
export function unknownFields({ keys }: z.core.$ZodIssueUnrecognizedKeys, limit: number): UnknownField[] {
  const known = knownNames.get(keys) ?? [];
  return keys.slice(0, limit).map((name) => ({ name, message: unknownFieldText(name, known) }));
}

/** Says that there is no such field, and which of the `known` ones was probably meant. */
export function unknownFieldText(name: string, known: readonly string[]): string {
  return `There is no such field${meantText(name, known)}`;
}

/** The end of a sentence about an unknown name: what was probably meant, else what there is. */
function meantText(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `; ${nearest} was probably meant.`;
  const isListed = known.length > 0 && known.length <= LISTED_NAMES;
  return isListed ? `; there is ${known.join(', ')}.` : '.';
}
