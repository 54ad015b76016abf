import { canonicalJson } from '../../canonical-json.ts';
import type { DecisionRecord } from '../../rules/decision-record.ts';
import type { Facts } from '../../rules/facts.ts';
import type { TransactionRecord } from '../record.ts';
import type { ScreeningVerdict } from './apply-verdict.ts';
import { isForRules } from './combine-findings.ts';
import type { TransactionScreening } from './screening.ts';

/** A screening and the decision of the rules that was made with it. */
export interface ScreeningJudgement {
  screening: TransactionScreening;
  decision: Pick<DecisionRecord, 'version' | 'evaluation' | 'facts' | 'waitUntil'> & {
    spent: readonly string[];
  };
}

/** Whether the verdict leaves a transfer as it is: waiting under the same rule, or for a VASP that nobody has found. */
export function leavesWaiting(record: TransactionRecord, verdict: ScreeningVerdict): boolean {
  const { ruleWaitUntil, screeningState, hold, isScreeningDelayed, routingFault } = record;
  const isOpen = isForRules(record) && screeningState === 'DUE' && hold === null && !isScreeningDelayed;
  if (!isOpen || verdict.hold !== null || verdict.isReleased) return false;
  if (ruleWaitUntil === null) return routingFault === 'VASP_NOT_FOUND' && verdict.outcome === 'PROCEED';
  return verdict.outcome === 'WAIT' && verdict.waitUntil?.getTime() === ruleWaitUntil.getTime();
}

/**
 * Whether a judgement finds and decides what the one before did. Only the counterparty may be another, as long as the lists
 * do not have it: whoever registers and deletes the destination of a message again and again makes its log no longer.
 */
export function isSameJudgement(before: ScreeningJudgement, now: ScreeningJudgement): boolean {
  return canonicalJson(comparedParts(before)) === canonicalJson(comparedParts(now));
}

function comparedParts({ screening, decision }: ScreeningJudgement) {
  const { sanctions, otherWallet, aml, wallet, notAsked } = screening;
  const { version, evaluation, facts, spent, waitUntil } = decision;
  return {
    sanctions: { ...sanctions, subjects: sanctions.subjects.flatMap(comparedSubject) },
    findings: { otherWallet, aml, wallet, notAsked },
    decision: [evaluation.decision, evaluation.decidedBy, version, spent, waitUntil?.toISOString() ?? null],
    facts: withoutCounterparty(facts),
  };
}

type ScreenedParty = TransactionScreening['sanctions']['subjects'][number];

/** What the lists say of a party; nothing of a VASP that they do not have. */
function comparedSubject({ role, screening, isReleased }: ScreenedParty) {
  const isVasp = role === 'beneficiaryVasp' || role === 'originatorVasp';
  if (isVasp && screening?.totalMatches === 0 && screening.complete) return [];
  if (screening === null) return [{ role, isReleased }];
  // The id and the time are new each time, and memory and database give the same answers.
  const { id: _id, screenedAt: _at, answeredBy: _by, ...found } = screening;
  return [{ role, isReleased, ...found }];
}

function withoutCounterparty(facts: Facts) {
  return Object.fromEntries(Object.entries(facts).filter(([name]) => !name.startsWith('counterparty')));
}
