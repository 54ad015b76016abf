import type { FieldError } from '../errors.ts';
import { brokenConstraints, constraintWarning } from './constraints.ts';
import { MAX_PERSONS, type Ivms101Message, type Ivms101Version } from './message.ts';
import { partyOfPerson, type PersonReading } from './party-of-person.ts';
import { PayloadNotes, PayloadObject } from './payload-object.ts';
import type { IvmsPerson } from './person.ts';
import { readAccounts, readPerson } from './read-person.ts';

export type Ivms101Reading =
  | {
      ok: true;
      /** As the payload says, else as its names of members show. */
      version: Ivms101Version;
      message: Ivms101Message;
      /**
       * JSON Pointers to parts of the payload that the message has no place for; at most 100. No originator or beneficiary
       * is among them. Types of names and addresses and the method of transliteration are checked and dropped unsaid.
       */
      unread: string[];
      /**
       * What is compared with lists and has no place in the message: names and accounts beyond those of a party, and
       * intermediaries. Whoever screens the message has to refuse it, or it would pass unscreened.
       */
      unkept: FieldError[];
      /** Constraints of the standard that the payload breaks; pointers into the payload. */
      warnings: FieldError[];
    }
  | { ok: false; faults: FieldError[] };

const VERSION_CODES = ['101', '101.2023'] as const;
const VERSION_ALIASES = {
  IVMS101: '101',
  'IVMS 101': '101',
  V2020: '101',
  'IVMS101.2023': '101.2023',
  'IVMS 101.2023': '101.2023',
  V2023: '101.2023',
} as const;
const TRANSLITERATION_CODES = 'arab aran armn cyrl deva geor grek hani hebr kana kore thai othr'.split(' ');
const MAX_INTERMEDIARIES = 100;
const SEQUENCE_LENGTH = 18;

/**
 * Reads an IVMS101 payload of 2020 or 2023, as TRISA, 21 Analytics, Notabene or CODE write it. Persons are never left out: a
 * payload with more of them than a message can have is refused. `today` is YYYY-MM-DD in UTC.
 */
export function readIvms101(payload: unknown, today: string): Ivms101Reading {
  const notes = new PayloadNotes(today);
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) {
    notes.fault('', 'invalid_type', 'An object is expected.');
    return { ok: false, faults: notes.faults };
  }
  const root = new PayloadObject(payload, '', notes);
  if (!root.has('originator', 'beneficiary')) {
    notes.fault('', 'required', 'An originator or a beneficiary is expected.');
  }
  const [originator, beneficiary] = [root.child(['originator']), root.child(['beneficiary'])];
  const persons = {
    originators: readSide(originator, notes, 'originator'),
    beneficiaries: readSide(beneficiary, notes, 'beneficiary'),
    originatingVasp: readVasp(root, notes, 'originatingvasp'),
    beneficiaryVasp: readVasp(root, notes, 'beneficiaryvasp'),
  };
  const isNew = originator?.has('originatorperson') || beneficiary?.has('beneficiaryperson');
  const version = readVersion(root) ?? (isNew ? '2023' : '2020');
  const path = readTransferPath(root);
  if (notes.faults.length > 0) return { ok: false, faults: notes.faults };

  const { originators, beneficiaries, originatingVasp, beneficiaryVasp } = persons;
  const others = [...beneficiaries, originatingVasp, beneficiaryVasp].filter(
    (person) => person !== undefined,
  );
  const { message, unkept } = messageOf(persons, notes);
  return {
    ok: true,
    version,
    message,
    unread: notes.unread(),
    unkept: [...unkept, ...path.unkept],
    warnings: [
      ...originators.flatMap((person) => brokenConstraints(person, { isOriginator: true })),
      ...others.flatMap((person) => brokenConstraints(person, { isOriginator: false })),
      ...path.warnings,
    ],
  };
}

interface PayloadPersons {
  originators: IvmsPerson[];
  beneficiaries: IvmsPerson[];
  originatingVasp: IvmsPerson | undefined;
  beneficiaryVasp: IvmsPerson | undefined;
}

/**
 * The originators or beneficiaries. Account numbers stand beside the persons in 2020, and within each of them in 2023;
 * those beside them are the first person's.
 */
function readSide(
  object: PayloadObject | undefined,
  notes: PayloadNotes,
  side: 'originator' | 'beneficiary',
): IvmsPerson[] {
  if (!object) return [];
  const faults = notes.faults.length;
  const found = object.children([`${side}person`, `${side}persons`], MAX_PERSONS);
  const isRefused = notes.faults.length > faults;
  const accounts = readAccounts(object);
  if (found.length === 0 && !isRefused) {
    notes.fault(object.at, 'required', `At least one ${side}Person is expected.`);
  }
  const persons = found.map((person) => readPerson(person, notes)).filter((person) => person !== undefined);
  const [first, ...others] = persons;
  return first ? [{ ...first, accounts: [...first.accounts, ...accounts] }, ...others] : [];
}

/** The standard has the VASP in a member of the same name within the entity; Notabene has it in the entity itself. */
function readVasp(root: PayloadObject, notes: PayloadNotes, name: string): IvmsPerson | undefined {
  const entity = root.child([name]);
  const inner = entity?.child([name]);
  if (entity && inner && entity.has('naturalperson', 'legalperson'))
    notes.fault(
      entity.at,
      'given_twice',
      'The VASP stands in the entity and in its member of the same name.',
    );
  const person = inner ?? entity;
  return !person || person.isEmpty ? undefined : readPerson(person, notes);
}

function readVersion(root: PayloadObject): Ivms101Version | undefined {
  const metadata = root.child(['payloadmetadata']);
  metadata?.codes(['transliterationmethod'], TRANSLITERATION_CODES);
  const code = metadata?.code(['payloadversion'], VERSION_CODES, VERSION_ALIASES);
  return code && (code === '101' ? '2020' : '2023');
}

/** Intermediaries are not kept; only their sequence is checked. */
function readTransferPath(root: PayloadObject): { warnings: FieldError[]; unkept: FieldError[] } {
  const [first, ...others] = root.children(['transferpath'], MAX_INTERMEDIARIES);
  if (!first) return { warnings: [], unkept: [] };
  const path = first.has('transferpath')
    ? first.children(['transferpath'], MAX_INTERMEDIARIES)
    : [first, ...others].filter((entry) => !entry.isEmpty);
  const numbers = path.map((entry) => entry.text(['sequence'], SEQUENCE_LENGTH));
  const hasGaps = numbers.some((_, index) => !numbers.includes(String(index)));
  const message = 'Transfers through intermediary VASPs are not taken here.';
  return {
    warnings: hasGaps ? [constraintWarning(first.at, 'c12')] : [],
    unkept: path.length === 0 ? [] : [{ pointer: first.at, code: 'not_allowed', message }],
  };
}

function messageOf(
  { originators, beneficiaries, originatingVasp, beneficiaryVasp }: PayloadPersons,
  notes: PayloadNotes,
): { message: Ivms101Message; unkept: FieldError[] } {
  const unkept: FieldError[] = [];
  const partyOf = (person: IvmsPerson): PersonReading['party'] => {
    const reading = partyOfPerson(person);
    notes.addUnread(reading.unread);
    unkept.push(...reading.unkept);
    return reading.party;
  };
  const [originator, ...furtherOriginators] = originators;
  const [beneficiary, ...furtherBeneficiaries] = beneficiaries;
  const message: Ivms101Message = {
    originator: originator ? partyOf(originator) : null,
    additionalOriginators: furtherOriginators.map(partyOf),
    beneficiary: beneficiary ? partyOf(beneficiary) : null,
    additionalBeneficiaries: furtherBeneficiaries.map(partyOf),
    originatingVasp: originatingVasp ? partyOf(originatingVasp) : null,
    beneficiaryVasp: beneficiaryVasp ? partyOf(beneficiaryVasp) : null,
  };
  return { message, unkept };
}
