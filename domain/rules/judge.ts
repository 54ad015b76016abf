import { expectedOf, givenFact } from './comparable.ts';
import type { CompiledLeaf, ResultNode } from './compile.ts';
import type { Facts } from './facts.ts';
import { fieldOf, type FieldSupply } from './fields.ts';
import { isPartial, MISSING, testPartial } from './operators.ts';
import type { LeafTrace } from './schema.ts';

/** Null: undecided, because a fact is missing. */
type TruthValue = boolean | null;

/** A condition with its result; negation is already moved to the leaves. */
export interface JudgedCondition {
  truth: TruthValue;
  members: readonly JudgedCondition[];
  /** Set for a leaf. */
  leaf?: JudgedLeaf;
}

interface JudgedLeaf {
  supply: FieldSupply | null;
  isDenied: boolean;
}

/** Adds the third truth value (undecided) to the engine's result, and appends every leaf to `trace` in reading order. */
export function judge(
  node: ResultNode,
  leaves: Iterator<CompiledLeaf>,
  facts: Facts,
  trace: LeafTrace[],
): JudgedCondition {
  const members = (node.all ?? node.any)?.map((member) => judge(member, leaves, facts, trace));
  if (members) return { truth: truthOf(node, members), members };
  const { value: compiled } = leaves.next() as IteratorYieldResult<CompiledLeaf>;
  const traced = traceLeaf(compiled, node, facts);
  trace.push(traced);
  const truth = traced.result === null ? null : traced.result !== compiled.isNegated;
  const leaf = { supply: supplyOf(traced, node), isDenied: traced.actual === false };
  return { truth, members: [], leaf };
}

/** The engine only distinguishes true from the rest; the members tell whether the rest is false or undecided. */
function truthOf(node: ResultNode, members: readonly JudgedCondition[]): TruthValue {
  if (node.result === true) return true;
  const isFalse = node.all
    ? members.some(({ truth }) => truth === false)
    : members.every(({ truth }) => truth === false);
  return isFalse ? false : null;
}

function traceLeaf(
  { leaf, fact, pointer, isNegated }: CompiledLeaf,
  node: ResultNode,
  facts: Facts,
): LeafTrace {
  const { field, operator, value = null, currency = null } = leaf;
  const { factResult: known } = node;
  const isAboutPresence = operator === 'EXISTS' || operator === 'NOT_EXISTS';
  const isOpen =
    isPartial(known) && (isAboutPresence || testPartial(operator, known, expectedOf(leaf)) === null);
  const missing = known === MISSING || isOpen;
  const result = missing && !isAboutPresence ? null : (node.result === true) !== isNegated;
  return {
    pointer,
    field,
    operator,
    currency,
    expected: value,
    actual: isPartial(known) && !missing ? known.atLeast : givenFact(facts, fact),
    result,
    missing,
  };
}

/** A sum is missing for want of a price only where a part of it is known; else it has no customer. */
function supplyOf({ field, currency }: LeafTrace, { factResult }: ResultNode): FieldSupply | null {
  if (field === 'rolling24hAmount') return isPartial(factResult) ? 'PRICE' : null;
  return currency === null ? fieldOf(field).supply : 'PRICE';
}

/** Whether a missing price, sanctions or AML fact contributes to leaving the condition undecided. */
export function lacksSupply(root: JudgedCondition): boolean {
  return root.truth === null && groundsOf(root).some(({ supply }) => supply !== null);
}

/** Whether the result of the condition depends on a sanctions fact that is a hit or missing. */
export function restsOnSanctions(root: JudgedCondition): boolean {
  return groundsOf(root).some(({ supply, isDenied }) => supply === 'SANCTIONS' && !isDenied);
}

/** The leaves that cause the result of a condition: those with the same truth value on every level above them. */
function groundsOf(node: JudgedCondition): JudgedLeaf[] {
  if (node.leaf) return [node.leaf];
  return node.members.filter(({ truth }) => truth === node.truth).flatMap(groundsOf);
}
