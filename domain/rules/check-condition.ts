import { checkLeaf, LEAF_MEMBERS } from './check-leaf.ts';
import { at, refuse, refuseUnknown, type FaultCollector } from './fault.ts';
import { LIMITS, type Condition } from './schema.ts';

type ConditionMembers = Record<string, unknown>;

/** The number of leaves read so far in a rule set. */
export interface LeafCount {
  leaves: number;
}

const GROUPS = ['all', 'any', 'not'] as const;
type ConditionGroup = (typeof GROUPS)[number];

/** A condition with canonical values; undefined when it has faults. `depth` is the number of enclosing groups. */
export function checkCondition(
  given: unknown,
  place: FaultCollector,
  count: LeafCount,
  depth = 0,
): Condition | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuse(place, 'invalid_type', 'A condition is an object.');
  }
  const members = given as ConditionMembers;
  const groups = GROUPS.filter((name) => Object.hasOwn(members, name));
  const [group, ...others] = groups;
  if (group === undefined) return checkCounted(members, place, count);
  for (const name of Object.keys(members)) if (!MEMBERS.includes(name)) refuseUnknown(place, name, MEMBERS);
  if (others.length > 0 || LEAF_MEMBERS.some((name) => Object.hasOwn(members, name))) {
    refuse(place, 'condition_ambiguous', 'A condition has exactly one of all, any and not, or is a leaf.');
  }
  if (depth >= LIMITS.depth) {
    return refuse(place, 'too_deep', `all, any and not are nested at most ${LIMITS.depth} deep.`);
  }
  const read = groups.map((group) =>
    checkGroup({ group, given: members[group], place: at(place, group), count, depth: depth + 1 }),
  );
  return read[0];
}

const MEMBERS: readonly string[] = [...GROUPS, ...LEAF_MEMBERS];

/** Only the first leaf above the limit is reported, not those after it. */
function checkCounted(
  given: ConditionMembers,
  place: FaultCollector,
  count: LeafCount,
): Condition | undefined {
  count.leaves += 1;
  if (count.leaves <= LIMITS.leaves) return checkLeaf(given, place);
  if (count.leaves > LIMITS.leaves + 1) return undefined;
  return refuse(place, 'too_many_leaves', `All rules together have at most ${LIMITS.leaves} leaves.`);
}

interface GivenGroup {
  group: ConditionGroup;
  given: unknown;
  place: FaultCollector;
  count: LeafCount;
  depth: number;
}

function checkGroup({ group, given, place, count, depth }: GivenGroup): Condition | undefined {
  if (group === 'not') {
    const not = checkCondition(given, place, count, depth);
    return not && { not };
  }
  if (!Array.isArray(given)) return refuse(place, 'invalid_type', 'A list of conditions is expected.');
  if (given.length === 0) return refuse(place, 'empty_list', 'A list has at least one condition.');
  const read = given.map((one, index) => checkCondition(one, at(place, index), count, depth));
  const conditions = read.filter((one) => one !== undefined);
  if (conditions.length < given.length) return undefined;
  return group === 'all' ? { all: conditions } : { any: conditions };
}
