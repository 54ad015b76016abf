import { CUSTODIAL_TYPES } from '../entity-types.ts';
import { SYSTEM } from '../events/actor.ts';
import type { FoundLabel } from '../labels/label.ts';
import { riskOfType } from '../aml/type-risk.ts';
import type { VerificationChange } from './change.ts';
import type { VerificationRecord } from './record.ts';
import { riskScoreOf, riskSeverityOf, type ProofWarning } from './risk.ts';

const ADDRESS_WARNINGS = [
  'ADDRESS_SANCTIONED',
  'ADDRESS_LABELLED',
  'ADDRESS_CUSTODIAL',
] as const satisfies ProofWarning[];
export type AddressWarning = (typeof ADDRESS_WARNINGS)[number];

/** The least confidence, 0 to 100, with which a label says whose an address is. */
const MIN_CONFIDENCE = 50;

/**
 * What the lists and labels say of an address: it is listed, labelled with a type of at least medium risk, or labelled
 * as a custodian's, whose customers cannot prove it.
 */
export function addressWarnings({
  isListed,
  labels,
}: {
  isListed: boolean;
  labels: readonly FoundLabel[];
}): AddressWarning[] {
  const types = labels.filter(({ confidence }) => confidence >= MIN_CONFIDENCE).map(({ type }) => type);
  const isRisky = types.some((type) => riskSeverityOf(riskOfType(type)) !== 'low');
  const isCustodial = types.some((type) => CUSTODIAL_TYPES.includes(type));
  return ADDRESS_WARNINGS.filter(
    (warning) =>
      ({ ADDRESS_SANCTIONED: isListed, ADDRESS_LABELLED: isRisky, ADDRESS_CUSTODIAL: isCustodial })[warning],
  );
}

/** Whether the address is looked up for a change: a new verification, and a proof that is accepted. */
export function asksForAddress(
  before: VerificationRecord,
  { after }: VerificationChange,
  { isNew }: { isNew: boolean },
): boolean {
  const isProof = after.status === 'VERIFIED' || after.status === 'ACTION_REQUIRED';
  return isNew || (isProof && before.status !== after.status);
}

/** The change with these warnings of the address in place of earlier ones; the log names those that are new. */
export function withAddressWarnings(
  change: VerificationChange,
  found: readonly AddressWarning[],
): VerificationChange {
  const { warnings } = change.after;
  const others = warnings.filter((warning) => !ADDRESS_WARNINGS.includes(warning as AddressWarning));
  if (found.length === 0 && others.length === warnings.length) return change;
  const moved = { ...change.after, warnings: [...others, ...found] };
  const fresh = found.filter((warning) => !warnings.includes(warning));
  const event = {
    type: 'ADDRESS_WARNING',
    message: 'Sanctions lists or labels name the address.',
    actor: SYSTEM,
    data: { warnings: fresh },
  };
  return {
    ...change,
    after: { ...moved, riskScore: riskScoreOf(moved) },
    events: fresh.length === 0 ? change.events : [...change.events, event],
  };
}
