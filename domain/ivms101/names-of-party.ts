import { searchWords } from '../fold.ts';
import type { Party } from '../parties/party.ts';
import { cut, isLatin, latinSpelling } from './latin.ts';
import type { LostFields } from './lost-fields.ts';
import { NOT_PROVIDED } from './message.ts';
import { tidied } from './payload-object.ts';
import { NAME_LENGTH, type IvmsName, type IvmsNames, type IvmsPerson } from './person.ts';

/**
 * The names of a party. A name that the party does not have in parts is not divided, since the parts would be guessed:
 * it stands whole in the primary identifier, as the standard allows.
 */
export function namesOfParty(party: Party, kind: IvmsPerson['kind'], lost: LostFields): IvmsNames {
  const names: IvmsNames = { latin: [], local: [], phonetic: [] };
  if (kind === 'LEGAL') addLegalName(names, party, lost);
  else addNaturalNames(names, party, lost);
  for (const alias of party.aliases ?? []) addAlias(names, kind, alias, lost);
  if (names.latin.length === 0) {
    const type = kind === 'LEGAL' ? 'SHRT' : 'MISC';
    names.latin.push({ type, primary: NOT_PROVIDED, secondary: undefined });
  }
  return names;
}

function addLegalName(names: IvmsNames, party: Party, lost: LostFields): void {
  const { name } = party;
  if (name === undefined) {
    // What an organisation is called in two fields is still its name.
    const fields = (['firstName', 'lastName'] as const).filter((field) => party[field] !== undefined);
    const whole = fields.map((field) => party[field]).join(' ');
    if (fields.length > 0) addName(names, 'LEGL', [fields, whole], lost);
    return;
  }
  for (const field of ['firstName', 'lastName'] as const) {
    if (party[field] !== undefined && !hasWords(name, party[field])) lost.leftOut(field);
  }
  addName(names, 'LEGL', [['name'], name], lost);
}

function addNaturalNames(names: IvmsNames, party: Party, lost: LostFields): void {
  const { name, firstName, lastName } = party;
  if (firstName !== undefined && lastName !== undefined) {
    addDivided(names, firstName, lastName, lost);
    const isSame = name === undefined || haveSameWords(name, `${firstName} ${lastName}`);
    if (!isSame) addUndivided(names, 'MISC', ['name', name], lost);
    return;
  }
  const part = firstName === undefined ? 'lastName' : 'firstName';
  if (name === undefined) {
    if (party[part] !== undefined) addName(names, 'LEGL', [[part], party[part]], lost);
    return;
  }
  addUndivided(names, 'LEGL', ['name', name], lost);
  if (party[part] !== undefined && !hasWords(name, party[part])) lost.leftOut(part);
}

/** The standard has aliases of persons and trading names of organisations. */
function addAlias(names: IvmsNames, kind: IvmsPerson['kind'], alias: string, lost: LostFields): void {
  if (kind === 'LEGAL') addName(names, 'TRAD', [['aliases'], alias], lost);
  else addUndivided(names, 'ALIA', ['aliases', alias], lost);
}

function addDivided(names: IvmsNames, firstName: string, lastName: string, lost: LostFields): void {
  const given = { type: 'LEGL', primary: tidied(lastName), secondary: tidied(firstName) };
  const primary = fitted(['lastName'], lastName, lost);
  const secondary = fitted(['firstName'], firstName, lost);
  if (primary === undefined && secondary === undefined) return;
  names.latin.push({
    type: 'LEGL',
    primary: primary ?? secondary,
    secondary: primary === undefined ? undefined : secondary,
  });
  if (isLatin(given.primary) && isLatin(given.secondary)) return;
  if (primary !== undefined && secondary !== undefined && fitsLocally(given)) {
    names.local.push(given);
    return;
  }
  if (!isLatin(given.primary) && primary !== undefined) lost.latinOnly('lastName');
  if (!isLatin(given.secondary) && secondary !== undefined) lost.latinOnly('firstName');
}

/** A name that is too long for one identifier continues in the other, in the order in which it is read. */
function addUndivided(
  names: IvmsNames,
  type: string,
  [field, name]: readonly [field: string, name: string],
  lost: LostFields,
): void {
  const spelt = latinSpelling(tidied(name));
  const end = spelt.length > NAME_LENGTH ? spelt.lastIndexOf(' ', NAME_LENGTH) : -1;
  if (end <= 0 || spelt.length - end - 1 > NAME_LENGTH) {
    addName(names, type, [[field], name], lost);
    return;
  }
  names.latin.push({ type, primary: spelt.slice(end + 1), secondary: spelt.slice(0, end) });
  if (spelt !== tidied(name)) lost.latinOnly(field);
}

/** Adds a name that is given in these fields. */
function addName(
  names: IvmsNames,
  type: string,
  [fields, name]: readonly [fields: readonly string[], name: string],
  lost: LostFields,
): void {
  const primary = fitted(fields, name, lost);
  if (primary === undefined) return;
  names.latin.push({ type, primary, secondary: undefined });
  const given = { type, primary: tidied(name), secondary: undefined };
  if (isLatin(given.primary)) return;
  if (fitsLocally(given)) names.local.push(given);
  else lost.latinOnly(...fields);
}

/** A name in Latin letters and of limited length; undefined if nothing of it can be spelt so. */
function fitted(fields: readonly string[], name: string, lost: LostFields): string | undefined {
  const spelt = latinSpelling(tidied(name));
  if (spelt === '') {
    lost.leftOut(...fields);
    return undefined;
  }
  if (spelt.length <= NAME_LENGTH) return spelt;
  lost.shortened(...fields);
  return cut(spelt, NAME_LENGTH);
}

/** Some readers count the bytes of a name. */
function fitsLocally({ primary = '', secondary = '' }: IvmsName): boolean {
  return [primary, secondary].every((text) => new TextEncoder().encode(text).length <= NAME_LENGTH);
}

function hasWords(name: string, part: string): boolean {
  const words = new Set(searchWords(name));
  return searchWords(part).every((word) => words.has(word));
}

function haveSameWords(one: string, other: string): boolean {
  return hasWords(one, other) && hasWords(other, one);
}
