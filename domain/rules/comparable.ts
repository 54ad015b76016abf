import { canonicalDecimal } from '../decimal.ts';
import { blockchainKey } from '../normalised-places.ts';
import type { FactName, Facts } from './facts.ts';
import { fieldOf, isFieldName, type Currency, type FieldName } from './fields.ts';
import { singleFields } from './missing-fields.ts';
import { MISSING, type ComparedValue, type ExpectedValue, type PartialSum } from './operators.ts';
import type { FieldCondition, LeafValue } from './schema.ts';

/** The fact that a leaf reads: `amount` with a currency is the value in that currency. */
export function factOf({ field, currency }: Pick<FieldCondition, 'field' | 'currency'>): FactName {
  return currency ? FIAT[currency] : field;
}

const FIAT: Record<Currency, FactName> = { USD: 'amountUsd', EUR: 'amountEur' };

/** A fact as given; null when it is missing. An entity without stored countries has no country fact. */
export function givenFact(facts: Facts, name: FactName): LeafValue | null {
  const given = facts[name] ?? null;
  const isEmpty = Array.isArray(given) && given.length === 0;
  return isEmpty && name === 'counterpartyEntityCountry' ? null : given;
}

/** A fact in the form in which it is compared. Throws when a decimal fact is not a decimal. */
export function comparableFact(facts: Facts, name: FactName): ComparedValue | PartialSum | typeof MISSING {
  const given = givenFact(facts, name);
  if (given === null) return partialSum(facts, name) ?? MISSING;
  if (typeof given === 'boolean') return given;
  const field = isFieldName(name) ? name : 'amount';
  if (typeof given === 'string') {
    const others = name === 'counterpartyEntityId' ? (facts.counterpartyDuplicateIds ?? []) : [];
    const own = foldText(field, given);
    return others.length === 0 ? own : [own, ...others.map((other) => foldText(field, other))];
  }
  return field === 'missingFields' ? given.flatMap(withSingleFields) : given;
}

/** What is known of a fact that is a sum; undefined when nothing is. */
function partialSum(facts: Facts, name: FactName): PartialSum | undefined {
  const known = name === 'rolling24hAmount' ? (facts.rolling24hAmountAtLeast ?? null) : null;
  return known === null ? undefined : { atLeast: foldText('rolling24hAmount', known) };
}

/** The expected value of a checked leaf, in the form in which it is compared. */
export function expectedOf({ field, value }: FieldCondition): ExpectedValue {
  const fold = (one: string): string => foldText(field, one);
  if (Array.isArray(value)) {
    const [low = '', high = ''] = value.map(fold);
    const all = field === 'missingFields' ? value.flatMap(withSingleFields) : value.map(fold);
    return { low, high, set: new Set(all) };
  }
  const low = typeof value === 'string' ? fold(value) : (value ?? '');
  return { low, high: '', set: NOTHING };
}

const NOTHING: ReadonlySet<string> = new Set();

/** One form for all spellings of the same value. */
export function foldText(field: FieldName, text: string): string {
  if (fieldOf(field).type === 'DECIMAL') return canonicalDecimal(text);
  if (field === 'asset') return text.toUpperCase();
  if (field === 'blockchain') return blockchainKey(text);
  return field === 'counterpartyEntityId' ? text.toLowerCase() : text;
}

/** Rules and facts of earlier versions name several fields in one text: it stands for each of them. */
function withSingleFields(path: string): string[] {
  return [path, ...singleFields(path)];
}
