import type { z } from 'zod';

/** One thing wrong with a rule set. The message never holds what was sent. */
export interface RuleFault {
  /** JSON Pointer into the rule set, such as `/rules/0/conditions/all/0/value`. */
  pointer: string;
  code: string;
  message: string;
  /** Of the rule it is in, where that has a usable id. */
  ruleId: string | null;
  /** The field of the leaf it is in, where that names one. */
  leaf: string | null;
}

/** Where in a rule set something stands, and where its faults are put. */
export interface FaultCollector {
  readonly pointer: string;
  readonly ruleId: string | null;
  readonly leaf: string | null;
  readonly faults: RuleFault[];
}

/** A draft of nothing but faults is not answered with all of them. */
const FAULTS_LIMIT = 1_000;

export function at(place: FaultCollector, part: string | number): FaultCollector {
  const escaped = String(part).replaceAll('~', '~0').replaceAll('/', '~1');
  return { ...place, pointer: `${place.pointer}/${escaped}` };
}

/** Notes a fault; answers undefined, so that it may stand where a value is missing. */
export function refuse(place: FaultCollector, code: string, message: string): undefined {
  const { pointer, ruleId, leaf, faults } = place;
  if (faults.length < FAULTS_LIMIT) faults.push({ pointer, code, message, ruleId, leaf });
  return undefined;
}

export function refuseUnknown(place: FaultCollector, name: string): undefined {
  return refuse(at(place, name), 'unknown_field', 'There is no such field.');
}

/** The value as its schema reads it. Codes and messages are those of every other request. */
export function readBy<S extends z.ZodType>(
  schema: S,
  given: unknown,
  place: FaultCollector,
): z.output<S> | undefined {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  for (const issue of read.error.issues) refuseIssue(issue, given, place);
  return undefined;
}

function refuseIssue(issue: z.core.$ZodIssue, given: unknown, place: FaultCollector): void {
  const where = issue.path.reduce((outer: FaultCollector, part) => at(outer, String(part)), place);
  if (issue.code === 'unrecognized_keys') for (const key of issue.keys) refuseUnknown(where, key);
  else if (isMissing(given, issue.path)) refuse(where, 'required', 'This field is required.');
  else refuse(where, issue.code === 'custom' ? 'invalid' : issue.code, issue.message);
}

function isMissing(given: unknown, [name, ...deeper]: readonly PropertyKey[]): boolean {
  const isMember = typeof given === 'object' && given !== null && name !== undefined;
  return isMember && deeper.length === 0 && !Object.hasOwn(given, name);
}
