import type { z } from 'zod';
import { faultCode, faultText, unknownFields, unknownFieldText } from '../schema-faults.ts';

/** A fault in a rule set. The message never contains the input. */
export interface RuleFault {
  /** JSON Pointer into the rule set, such as `/rules/0/conditions/all/0/value`. */
  pointer: string;
  code: string;
  message: string;
  /** Id of the rule with the fault; null if it has no usable id. */
  ruleId: string | null;
  /** Field of the leaf with the fault; null if there is none. */
  leaf: string | null;
}

/** A position in a rule set, and the list that collects faults. */
export interface FaultCollector {
  readonly pointer: string;
  readonly ruleId: string | null;
  readonly leaf: string | null;
  readonly faults: RuleFault[];
  /** How many more unknown names are compared with those that are known: each takes some 50 microseconds. */
  readonly guesses: { left: number };
}

/** Maximum number of faults in a response. */
const FAULTS_LIMIT = 1_000;

/** The position of a member or an item below `place`. */
export function at(place: FaultCollector, part: string | number): FaultCollector {
  const escaped = String(part).replaceAll('~', '~0').replaceAll('/', '~1');
  return { ...place, pointer: `${place.pointer}/${escaped}` };
}

/** Records a fault. Returns undefined, so that callers can return it in place of a value. */
export function refuse(place: FaultCollector, code: string, message: string): undefined {
  const { pointer, ruleId, leaf, faults } = place;
  if (faults.length < FAULTS_LIMIT) faults.push({ pointer, code, message, ruleId, leaf });
  return undefined;
}

/** Records a fault for a member that is none of the `known` ones. */
export function refuseUnknown(place: FaultCollector, name: string, known: readonly string[]): undefined {
  return refuse(at(place, name), 'unknown_field', unknownFieldText(name, known));
}

/** Parses a value by its schema and records the issues, with the codes and messages that all endpoints use. */
export function readBy<S extends z.ZodType>(
  schema: S,
  given: unknown,
  place: FaultCollector,
): z.output<S> | undefined {
  const read = schema.safeParse(given, { error: faultText });
  if (read.success) return read.data;
  for (const issue of read.error.issues) refuseIssue(issue, given, place);
  return undefined;
}

function refuseIssue(issue: z.core.$ZodIssue, given: unknown, place: FaultCollector): void {
  const where = issue.path.reduce((outer: FaultCollector, part) => at(outer, String(part)), place);
  if (issue.code === 'unrecognized_keys') {
    for (const { name, message } of unknownFields(issue, FAULTS_LIMIT))
      refuse(at(where, name), 'unknown_field', message);
  } else if (isMissing(given, issue.path)) refuse(where, 'required', 'This field is required.');
  else refuse(where, faultCode(issue), issue.message);
}

function isMissing(given: unknown, [name, ...deeper]: readonly PropertyKey[]): boolean {
  const isMember = typeof given === 'object' && given !== null && name !== undefined;
  return isMember && deeper.length === 0 && !Object.hasOwn(given, name);
}
