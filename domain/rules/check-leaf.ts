import { compareDecimals } from '../decimal.ts';
import { nearestName } from '../near-name.ts';
import { findBlockchain } from '../blockchains.ts';
import { nearBlockchain } from '../normalised-places.ts';
import { foldText } from './comparable.ts';
import { at, refuse, refuseUnknown, type FaultCollector } from './fault.ts';
import {
  CURRENCIES,
  fieldOf,
  FIELDS,
  isFieldName,
  OPERATORS,
  type Currency,
  type RuleField,
  type FieldName,
  type Operator,
} from './fields.ts';
import { isMissingField, MISSING_FIELDS } from './missing-fields.ts';
import { LIMITS, type FieldCondition, type LeafValue } from './schema.ts';
import { isCountryCode, readDecimal } from './values.ts';

type LeafMembers = Record<string, unknown>;

export const LEAF_MEMBERS: readonly string[] = ['field', 'operator', 'value', 'currency'];
const LIST_OPERATORS: readonly Operator[] = ['IN', 'NOT_IN', 'CONTAINS_ANY', 'CONTAINS_NONE'];

/** A leaf with its value in canonical form; undefined when it has faults. */
export function checkLeaf(given: LeafMembers, outer: FaultCollector): FieldCondition | undefined {
  for (const name of Object.keys(given))
    if (!LEAF_MEMBERS.includes(name)) refuseUnknown(outer, name, LEAF_MEMBERS);
  const field = readField(given, outer);
  if (field === undefined) return undefined;
  const place = { ...outer, leaf: field };
  const currency = readCurrency(given, field, place);
  const operator = readOperator(given, field, place);
  if (operator === undefined) return undefined;
  if (operator === 'EXISTS' || operator === 'NOT_EXISTS') {
    if (isGiven(given, 'value'))
      refuse(at(place, 'value'), 'value_not_allowed', `${operator} takes no value.`);
    return { field, operator, ...(currency && { currency }) };
  }
  const value = readValue(given['value'], { field, operator }, at(place, 'value'));
  return value === undefined ? undefined : { field, operator, value, ...(currency && { currency }) };
}

/** Whether a member is given. Null counts as absent, so that a response can be sent back. */
function isGiven(given: LeafMembers, name: string): boolean {
  return Object.hasOwn(given, name) && given[name] !== null;
}

function readField(given: LeafMembers, place: FaultCollector): FieldName | undefined {
  const { field } = given;
  if (typeof field === 'string' && isFieldName(field)) return field;
  if (!isGiven(given, 'field')) return refuse(at(place, 'field'), 'required', 'This field is required.');
  return refuse(at(place, 'field'), 'fact_unknown', unknownFactText(field));
}

function unknownFactText(given: unknown): string {
  const nearest = typeof given === 'string' ? nearestName(given, Object.keys(FIELDS)) : undefined;
  const hint = nearest === undefined ? 'see GET /rule-engine/fields' : `${nearest} was probably meant`;
  return `There is no field of this name for conditions; ${hint}.`;
}

function readOperator(given: LeafMembers, field: FieldName, outer: FaultCollector): Operator | undefined {
  const place = at(outer, 'operator');
  if (!isGiven(given, 'operator')) return refuse(place, 'required', 'This field is required.');
  const operator = OPERATORS.find((one) => one === given['operator']);
  if (!operator) return refuse(place, 'operator_unknown', `An operator is one of ${OPERATORS.join(', ')}.`);
  const { operators } = fieldOf(field);
  if (operators.includes(operator)) return operator;
  return refuse(place, 'operator_not_allowed', `${field} takes ${operators.join(', ')}.`);
}

function readCurrency(given: LeafMembers, field: FieldName, outer: FaultCollector): Currency | undefined {
  if (!isGiven(given, 'currency')) return undefined;
  const place = at(outer, 'currency');
  if (!fieldOf(field).currencies)
    return refuse(place, 'currency_not_allowed', 'Only amount takes a currency.');
  const currency = CURRENCIES.find((one) => one === given['currency']);
  return currency ?? refuse(place, 'currency_unknown', `A currency is one of ${CURRENCIES.join(', ')}.`);
}

type LeafQuestion = Pick<FieldCondition, 'field' | 'operator'>;

function readValue(given: unknown, question: LeafQuestion, place: FaultCollector): LeafValue | undefined {
  if (given === undefined || given === null) return refuse(place, 'required', 'This field is required.');
  if (question.operator === 'BETWEEN') return readBounds(given, question, place);
  if (LIST_OPERATORS.includes(question.operator)) return readList(given, question, place);
  if (Array.isArray(given)) return refuse(place, 'invalid_type', `${question.operator} takes one value.`);
  return readOne(given, question.field, place);
}

function readBounds(
  given: unknown,
  { field, operator }: LeafQuestion,
  place: FaultCollector,
): string[] | undefined {
  if (!Array.isArray(given) || given.length !== 2) {
    return refuse(place, 'invalid_type', `${operator} takes a list of the lower and the upper bound.`);
  }
  const bounds = readTexts(given, field, place);
  const [low, high] = bounds;
  if (low === undefined || high === undefined || bounds.length !== 2) return undefined;
  if (compareDecimals(low, high) <= 0) return bounds;
  return refuse(place, 'bounds_reversed', 'The lower bound comes first.');
}

function readList(
  given: unknown,
  { field, operator }: LeafQuestion,
  place: FaultCollector,
): string[] | undefined {
  if (!Array.isArray(given)) return refuse(place, 'invalid_type', `${operator} takes a list of values.`);
  if (given.length === 0) return refuse(place, 'empty_list', 'An empty list never decides anything.');
  if (given.length > LIMITS.values) {
    return refuse(place, 'too_many_values', `A list has at most ${LIMITS.values} values.`);
  }
  const texts = readTexts(given, field, place);
  const seen = new Set<string>();
  for (const [index, text] of texts.entries()) {
    const folded = foldText(field, text);
    if (seen.has(folded)) refuse(at(place, index), 'duplicate_value', 'This value is listed already.');
    seen.add(folded);
  }
  return texts.length === given.length && seen.size === texts.length ? texts : undefined;
}

/** The values that are valid texts of the field; the others are recorded as faults. */
function readTexts(given: readonly unknown[], field: FieldName, place: FaultCollector): string[] {
  return given
    .map((one, index) => readOne(one, field, at(place, index)))
    .filter((one): one is string => typeof one === 'string');
}

function readOne(given: unknown, name: FieldName, place: FaultCollector): string | boolean | undefined {
  const field = fieldOf(name);
  if (field.type === 'BOOLEAN') {
    return typeof given === 'boolean' ? given : refuse(place, 'invalid_type', 'true or false is expected.');
  }
  if (field.type === 'DECIMAL') return readNumber(given, name, place);
  if (typeof given !== 'string') return refuse(place, 'invalid_type', 'A text is expected.');
  const text = readText(given, field, place);
  return text !== undefined && name === 'blockchain' ? readBlockchain(text, place) : text;
}

/** A name that is known, or unlike any that is: transfers may be on chains that are not listed. */
function readBlockchain(text: string, place: FaultCollector): string | undefined {
  const { guesses } = place;
  if (guesses.left === 0 || findBlockchain(text)) return text;
  guesses.left -= 1;
  const meant = nearBlockchain(text);
  if (meant === undefined) return text;
  return refuse(place, 'unknown_blockchain', `This blockchain is not known; ${meant} was probably meant.`);
}

/** The highest value that a fact can have: a bound beyond it never decides anything. */
const HIGHEST: Partial<Record<FieldName, string>> = { amlRiskScore: '100', hourUtc: '23' };

function readNumber(given: unknown, name: FieldName, place: FaultCollector): string | undefined {
  if (typeof given !== 'number' && typeof given !== 'string') {
    return refuse(place, 'invalid_type', 'A number, or a decimal as text, is expected.');
  }
  const read = readDecimal(given);
  if (!read.ok) return refuse(place, 'invalid_decimal', read.message);
  const highest = HIGHEST[name];
  if (highest === undefined || compareDecimals(read.value, highest) <= 0) return read.value;
  return refuse(place, 'too_big', `${name} is at most ${highest}.`);
}

const UNUSABLE = /\0|\p{Surrogate}/u;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

function readText(
  given: string,
  { type, values, format }: RuleField,
  place: FaultCollector,
): string | undefined {
  if (values) {
    // Drafts of earlier versions hold composites; sent back, they are accepted.
    const isKnown = values.includes(given) || (values === MISSING_FIELDS && isMissingField(given));
    if (isKnown) return given;
    return refuse(place, 'value_unknown', `A value is one of ${values.join(', ')}.`);
  }
  if (type === 'COUNTRY' || type === 'COUNTRY_SET') {
    if (isCountryCode(given)) return given;
    return refuse(place, 'country_unknown', 'An ISO 3166-1 alpha-2 code in upper case is expected.');
  }
  if (format === 'UUID' && !UUID.test(given)) return refuse(place, 'invalid_format', 'A UUID is expected.');
  if (given !== given.trim()) {
    return refuse(place, 'invalid_text', 'A text without spaces at its ends is expected: no fact has them.');
  }
  if (given.length > 0 && given.length <= LIMITS.valueLength && !UNUSABLE.test(given)) return given;
  return refuse(place, 'invalid_text', `A text of 1 to ${LIMITS.valueLength} characters is expected.`);
}
