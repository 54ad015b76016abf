import { z } from 'zod';
import { countryCode } from '../country.ts';
import type { FieldError } from '../errors.ts';
import { UNKNOWN_COUNTRY } from './message.ts';

/** Number of faults, and of unread members, that are reported of one payload. */
const MAX_REPORTED = 100;
/** Members of one object. The standard has at most 16. */
const MAX_MEMBERS = 200;
/** A member's name that is longer, or has other characters, is not repeated: it may be anything, personal data too. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const UNSTORABLE = /\0|\p{Surrogate}/u;
const PLAIN_NUMBER = /^-?\d+(?:\.\d+)?$/;
const COUNTRY_LENGTH = 100;
const CODE_LENGTH = 80;
const DATE_LENGTH = 40;

/** A member of a payload: its JSON Pointer and its value. */
interface PayloadMember {
  at: string;
  value: unknown;
}

/** What is noted while a payload is read. */
export class PayloadNotes {
  /** YYYY-MM-DD in UTC. */
  readonly today: string;
  readonly faults: FieldError[] = [];
  readonly #unread: string[] = [];
  readonly #objects: PayloadObject[] = [];

  constructor(today: string) {
    this.today = today;
  }

  fault(pointer: string, code: string, message: string): void {
    if (this.faults.length < MAX_REPORTED) this.faults.push({ pointer, code, message });
  }

  addObject(object: PayloadObject): void {
    this.#objects.push(object);
  }

  addUnread(pointers: readonly string[]): void {
    this.#unread.push(...pointers);
  }

  /** JSON Pointers to what the payload has and the message has no place for. */
  unread(): string[] {
    const unknown = this.#objects.flatMap((object) => object.unknownMembers());
    return [...new Set([...this.#unread, ...unknown])].slice(0, MAX_REPORTED);
  }
}

/**
 * An object of an IVMS101 payload. Members are found by any of several names, whatever their case and with or without
 * underscores, since writers of the standard differ in both. Null, empty texts and empty lists are absent.
 */
export class PayloadObject {
  readonly at: string;
  readonly #notes: PayloadNotes;
  readonly #members = new Map<string, PayloadMember[]>();
  readonly #known = new Set<string>();

  constructor(value: object, at: string, notes: PayloadNotes) {
    this.at = at;
    this.#notes = notes;
    notes.addObject(this);
    const names = Object.keys(value);
    if (names.length > MAX_MEMBERS) {
      notes.fault(at, 'too_many', `An object has at most ${MAX_MEMBERS} members.`);
      return;
    }
    for (const name of names) {
      const member: unknown = (value as Record<string, unknown>)[name];
      if (isAbsent(member)) continue;
      const isPlain = PLAIN_NAME.test(name);
      const key = isPlain ? foldedName(name) : '';
      const found = { at: `${at}/${isPlain ? name : '*'}`, value: member };
      const others = this.#members.get(key);
      if (others) others.push(found);
      else this.#members.set(key, [found]);
    }
  }

  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  has(...names: string[]): boolean {
    return names.some((name) => this.#members.has(name));
  }

  /** The value of a text member; a number stands for its digits. White space is tidied. */
  text(names: readonly string[], maxLength: number): string | undefined {
    const member = this.#take(names);
    return member && this.#textOf(member, maxLength);
  }

  texts(names: readonly string[], maxEntries: number, maxLength: number): { at: string; text: string }[] {
    return this.#list(names, maxEntries).flatMap((entry) => {
      const text = this.#textOf(entry, maxLength);
      return text === undefined ? [] : [{ at: entry.at, text }];
    });
  }

  /** A code of a list, in any case, also with the name of the list before it as in `ADDRESS_TYPE_CODE_HOME`. */
  code<C extends string>(
    names: readonly string[],
    codes: readonly C[],
    aliases: Readonly<Record<string, C>> = {},
  ): C | undefined {
    const member = this.#take(names);
    return member && this.#codeOf(member, codes, aliases);
  }

  codes<C extends string>(names: readonly string[], codes: readonly C[]): C[] {
    const found = this.#list(names, codes.length).map((entry) => this.#codeOf(entry, codes, {}));
    return found.filter((code) => code !== undefined);
  }

  /** The alpha-2 code of a country, given as code or as English name. */
  country(names: readonly string[]): string | undefined {
    const member = this.#take(names);
    const text = member && this.#textOf(member, COUNTRY_LENGTH);
    if (!member || text === undefined || text.toUpperCase() === UNKNOWN_COUNTRY) return undefined;
    const code = countryCode(text);
    if (code === undefined) {
      this.#notes.fault(member.at, 'country_unknown', 'An ISO 3166-1 alpha-2 code is expected.');
    }
    return code;
  }

  /** A day before today, YYYY-MM-DD; of a timestamp its date. */
  pastDate(names: readonly string[]): string | undefined {
    const member = this.#take(names);
    const text = member && this.#textOf(member, DATE_LENGTH);
    if (!member || text === undefined) return undefined;
    const [date = ''] = text.split('T');
    if (!z.iso.date().safeParse(date).success) {
      this.#notes.fault(member.at, 'invalid_format', 'A date (YYYY-MM-DD) is expected.');
      return undefined;
    }
    if (date > this.#notes.today) {
      this.#notes.fault(member.at, 'date_in_future', 'A date in the past is expected.');
      return undefined;
    }
    return date;
  }

  /** The object of a member; also the only entry of a list. */
  child(names: readonly string[]): PayloadObject | undefined {
    return this.children(names, 1)[0];
  }

  /** The objects of a member that is a list of them, or one. */
  children(names: readonly string[], maxEntries: number): PayloadObject[] {
    return this.#list(names, maxEntries).flatMap(({ at, value }) => {
      if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
        return [new PayloadObject(value, at, this.#notes)];
      }
      this.#notes.fault(at, 'invalid_type', 'An object is expected.');
      return [];
    });
  }

  /** JSON Pointers to the members that nobody has asked for. */
  unknownMembers(): string[] {
    return [...this.#members]
      .filter(([name]) => !this.#known.has(name))
      .flatMap(([, members]) => members.map(({ at }) => at));
  }

  #take(names: readonly string[]): PayloadMember | undefined {
    const found = names.flatMap((name) => this.#members.get(name) ?? []);
    for (const name of names) this.#known.add(name);
    const [first, ...others] = found;
    // Containers are never compared: they may be of any size and depth.
    const differs = others.some(({ value }) => typeof value === 'object' || value !== first?.value);
    if (first && differs) {
      this.#notes.fault(first.at, 'given_twice', 'The payload has this member under another name, too.');
    }
    return first;
  }

  #list(names: readonly string[], maxEntries: number): PayloadMember[] {
    const member = this.#take(names);
    if (!member) return [];
    const { at, value } = member;
    if (!Array.isArray(value)) return [member];
    if (value.length > maxEntries) {
      this.#notes.fault(at, 'too_many', `The list has at most ${maxEntries} entries.`);
      return [];
    }
    const entries = value.map((entry: unknown, index) => ({ at: `${at}/${index}`, value: entry }));
    return entries.filter((entry) => !isAbsent(entry.value));
  }

  #textOf({ at, value }: PayloadMember, maxLength: number): string | undefined {
    const given = typeof value === 'number' ? String(value) : value;
    if (typeof given !== 'string' || (typeof value === 'number' && !PLAIN_NUMBER.test(given))) {
      this.#notes.fault(at, 'invalid_type', 'A text is expected.');
      return undefined;
    }
    if (UNSTORABLE.test(given)) {
      this.#notes.fault(at, 'invalid_characters', 'NUL and lone surrogates are refused.');
      return undefined;
    }
    const text = tidied(given);
    if (text.length > maxLength) {
      this.#notes.fault(at, 'too_long', `The text has at most ${maxLength} characters.`);
      return undefined;
    }
    return text;
  }

  #codeOf<C extends string>(
    member: PayloadMember,
    codes: readonly C[],
    aliases: Readonly<Record<string, C>>,
  ): C | undefined {
    const text = this.#textOf(member, CODE_LENGTH);
    if (text === undefined) return undefined;
    const bare = text.toUpperCase().replace(/^[A-Z_]+_CODE_/, '');
    const code = codes.find((each) => each.toUpperCase() === bare);
    if (code !== undefined) return code;
    if (Object.hasOwn(aliases, bare)) return aliases[bare];
    this.#notes.fault(member.at, 'invalid_value', `One of ${codes.join(', ')} is expected.`);
    return undefined;
  }
}

/** A text without white space at its ends, and with single spaces within. */
export function tidied(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function isAbsent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() === '';
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function foldedName(name: string): string {
  return name.replaceAll('_', '').toLowerCase();
}
