import { DomainError, type FieldError } from '../errors.ts';
import type { RuleFault } from './fault.ts';
import type { ConfigurationRecord, RuleAuthor } from './configuration.ts';

/** The draft is another one than the caller read; the problem carries the revision that it has now. */
export function staleDraft(revision: number): DomainError {
  return new DomainError('conflict', 'The draft was changed meanwhile: read it again.', {
    members: { revision },
  });
}

/** Refuses a change that was made from another draft than this one. Without a revision any draft will do. */
export function requireRevision(record: ConfigurationRecord, revision: number | undefined): void {
  if (revision !== undefined && revision !== record.draft.revision) throw staleDraft(record.draft.revision);
}

/** With four eyes, whoever changed the draft last may not publish it. An untouched draft is nobody's. */
export function requireOtherEyes({ draft }: ConfigurationRecord, author: RuleAuthor): void {
  const { updatedBy } = draft;
  if (updatedBy?.kind !== author.kind || updatedBy.id !== author.id) return;
  throw new DomainError(
    'conflict',
    'With settings.fourEyes.rules somebody else than the last author of the draft has to publish it.',
  );
}

/** The refusal of rules, with every fault: where it is, in which rule and in which leaf. */
export function invalidRules(faults: readonly RuleFault[]): DomainError {
  const errors: FieldError[] = [...faults];
  return new DomainError('rules_invalid', 'Nothing was changed: the rules have faults.', { errors });
}

const OF_RULES = /^\/(rules|defaultDecision|onUndecided)(\/|$)/;

/** A fault that was found in rules before they were read as such is one of the rules all the same. */
export function nameRuleFault(fault: DomainError): DomainError {
  const { errors = [] } = fault.details;
  if (fault.code !== 'validation_failed' || !errors.some(({ pointer }) => OF_RULES.test(pointer)))
    return fault;
  return invalidRules(errors.map((error) => ({ ...error, ruleId: null, leaf: null })));
}
