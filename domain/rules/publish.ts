import { DomainError, firstFaultText, type FieldError } from '../errors.ts';
import type { RuleFault } from './fault.ts';
import type { ConfigurationRecord } from './configuration.ts';

/** The error for a change based on an outdated draft; it contains the current revision. */
export function staleDraft(revision: number): DomainError {
  return new DomainError('conflict', 'The draft was changed meanwhile: read it again.', {
    members: { revision },
  });
}

/** Throws conflict when a change is based on another revision of the draft. Without a revision nothing is checked. */
export function requireRevision(record: ConfigurationRecord, revision: number | undefined): void {
  if (revision !== undefined && revision !== record.draft.revision) throw staleDraft(record.draft.revision);
}

/** The error for invalid rules, with the position, rule and leaf of every fault. */
export function invalidRules(faults: readonly RuleFault[]): DomainError {
  const errors: FieldError[] = [...faults];
  const text = `Nothing was changed: the rules have faults. The first: ${firstFaultText(errors)}`;
  return new DomainError('rules_invalid', text, { errors });
}

const OF_RULES = /^\/(rules|defaultDecision|onUndecided)(\/|$)/;

/** Turns a validation_failed error about rules into rules_invalid; any other error is returned unchanged. */
export function nameRuleFault(fault: DomainError): DomainError {
  const { errors = [] } = fault.details;
  if (fault.code !== 'validation_failed' || !errors.some(({ pointer }) => OF_RULES.test(pointer)))
    return fault;
  return invalidRules(errors.map((error) => ({ ...error, ruleId: null, leaf: null })));
}
