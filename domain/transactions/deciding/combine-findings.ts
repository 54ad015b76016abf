import type { RuleEvaluation } from '../../rules/schema.ts';
import type { ScreeningVerdict } from './apply-verdict.ts';
import { namelessParties } from '../completeness.ts';
import { isCompleted } from '../exchanging/complete-own-record.ts';
import { isReceivedReviewed } from '../exchanging/received-version.ts';
import type { TransactionRecord } from '../record.ts';
import { hasMatch, isStoppedByLists } from './released-matches.ts';
import type { TransactionScreening } from './screening.ts';
import { hasUnreviewedName, isReadWhole } from './unread-names.ts';

/** The evaluation of the published rules and their version. */
export interface RuledFinding {
  evaluation: RuleEvaluation;
  version: number;
  /** Set with WAIT: a wait that is already running keeps its end. */
  waitUntil: Date | null;
  /** BLOCK becomes REVIEW, because the rules version is new and blocks too much. */
  guarded: boolean;
}

/** Whether rules decide on the record: it is unsent, or it arrived over a network and is still open. */
export function isForRules({ direction, status, messageSource, screeningState }: TransactionRecord): boolean {
  if (screeningState === 'RECHECK') return false;
  if (direction === 'OUTGOING') return status === 'PENDING';
  return status === 'DELIVERED' && messageSource !== 'MANUAL';
}

interface CombineOptions {
  holdIncomplete?: boolean;
  /** The screening before; null where there is none. */
  previous?: TransactionScreening | null;
}

/**
 * Combines the screening, the rules and the tenant's policy for the counterparty. The strictest wins: BLOCK, REVIEW,
 * WAIT, PROCEED. A sanctions match holds the transfer, unless it is blocked before it is sent or a reviewer has released
 * it. A transfer with a name that was not compared to its end is held as UNSCREENED, whatever else but a match holds it.
 * With `holdIncomplete` a message that does not name both parties is held before it is sent. On a record that the
 * receiver made itself no rules decide, but the policy does.
 */
export function combineFindings(
  record: TransactionRecord,
  screening: TransactionScreening,
  ruled: RuledFinding | null,
  { holdIncomplete = false, previous = null }: CombineOptions = {},
): ScreeningVerdict {
  const decided = ruled ? withPolicy(record, screening, ruled) : byPolicyAlone(record, screening, previous);
  const verdict: ScreeningVerdict = {
    screeningId: screening.id,
    ...decided,
    hold: isStopped(record, decided) ? null : holdOf(record, screening, ruled, decided),
    isReleased: hasMatch(screening.sanctions) && !isStoppedByLists(screening.sanctions),
    guarded: ruled?.guarded === true && decided.decidedBy?.kind !== 'COUNTERPARTY',
    waitUntil: ruled?.waitUntil ?? null,
    rulesVersion: ruled?.version ?? 0,
    findings: findingsOf(screening),
  };
  if (hasUnreviewedName(record, screening, previous)) return heldUnread(verdict);
  return holdIncomplete && isIncompleteMessage(record) ? heldIncomplete(verdict) : verdict;
}

function isIncompleteMessage(record: TransactionRecord): boolean {
  return isForRules(record) && record.status === 'PENDING' && namelessParties(record).length > 0;
}

/** A block stays one; where the transfer is held already and cannot be blocked, it is held for the name. */
function heldUnread(verdict: ScreeningVerdict): ScreeningVerdict {
  if (verdict.hold === 'SANCTIONS') return verdict;
  return { ...verdict, outcome: verdict.outcome === 'BLOCK' ? 'BLOCK' : 'REVIEW', hold: 'UNSCREENED' };
}

function heldIncomplete(verdict: ScreeningVerdict): ScreeningVerdict {
  if (verdict.outcome === 'BLOCK' || verdict.hold !== null) return verdict;
  return { ...verdict, outcome: 'REVIEW', hold: 'INCOMPLETE_PARTY' };
}

type DecidedRules = Pick<ScreeningVerdict, 'outcome' | 'decidedBy'>;

function withPolicy(
  record: TransactionRecord,
  { counterparty }: TransactionScreening,
  ruled: RuledFinding,
): DecidedRules {
  const { decidedBy } = ruled.evaluation;
  const decision = ruled.guarded ? 'REVIEW' : ruled.evaluation.decision;
  const policy = policyFor(record, counterparty);
  if (decision === 'PROCEED' && policy !== 'BLOCK' && isOfNobodyKnown(record))
    return { outcome: 'REVIEW', decidedBy: { kind: 'COUNTERPARTY', ruleId: null } };
  // A default decision to review is no hold; that of a policy is.
  const counts =
    policy !== 'ALLOW' &&
    (STRICTNESS[policy] > STRICTNESS[decision] || (policy === decision && decidedBy === 'default'));
  if (counts) return { outcome: policy, decidedBy: { kind: 'COUNTERPARTY', ruleId: null } };
  return { outcome: decision, decidedBy: whoDecided(decidedBy) };
}

/** The tenant's policy for the counterparty; a message for another VASP than the tenant is at least reviewed. */
function policyFor(record: TransactionRecord, counterparty: TransactionScreening['counterparty']) {
  const policy = counterparty?.policy ?? 'ALLOW';
  return namesOtherVasp(record) && STRICTNESS[policy] < STRICTNESS.REVIEW ? 'REVIEW' : policy;
}

/** Whether the message names another beneficiary VASP than the tenant, and its sender has not withdrawn it. */
function namesOtherVasp({ personal: { namesOtherVasp: ofMessage, received } }: TransactionRecord): boolean {
  return ofMessage === true || (received?.namesOtherVasp === true && received.takenBackAt === null);
}

/** Whether a message came from outside of the deployment, and nobody vouches for the VASP that it names: anybody may have sent it. */
function isOfNobodyKnown({ direction, messageSource, counterpartyEntityId }: TransactionRecord): boolean {
  return direction === 'INCOMING' && messageSource !== 'NATIVE' && counterpartyEntityId === null;
}

/**
 * The decision on a record without rules. The policy decides on one that the receiver made itself. If that is confirmed
 * already, a policy that was not in force at the screening before stops the answer to the sender until a review, and so does a
 * message for another VASP.
 */
function byPolicyAlone(
  record: TransactionRecord,
  { counterparty }: TransactionScreening,
  previous: TransactionScreening | null,
): DecidedRules {
  const policy = counterparty?.policy ?? 'ALLOW';
  const decidedBy = { kind: 'COUNTERPARTY', ruleId: null } as const;
  if (policy !== 'ALLOW' && isOwnRecord(record)) {
    if (record.status === 'PENDING' && record.screeningState !== 'RECHECK')
      return { outcome: policy, decidedBy };
    if (record.status === 'CONFIRMED' && isStricterNow(counterparty, previous))
      return { outcome: 'REVIEW', decidedBy };
  }
  if (isCompleted(record) && record.status === 'CONFIRMED' && isUnreviewedForOther(record))
    return { outcome: 'REVIEW', decidedBy: { kind: 'COUNTERPARTY', ruleId: null } };
  return { outcome: 'PROCEED', decidedBy: null };
}

/** Whether the message that completed the record names another VASP than the tenant, and no review has let that pass. */
function isUnreviewedForOther(record: TransactionRecord): boolean {
  return namesOtherVasp(record) && !isReceivedReviewed(record);
}

/** Whether the receiver made the record itself, even if a message has completed it since. */
function isOwnRecord(record: TransactionRecord): boolean {
  return record.direction === 'INCOMING' && (record.messageSource === 'MANUAL' || isCompleted(record));
}

function isStricterNow(
  now: TransactionScreening['counterparty'],
  previous: TransactionScreening | null,
): boolean {
  const before = previous?.counterparty;
  const shown = before && before.entityId === now?.entityId ? before.policy : 'ALLOW';
  return STRICTNESS[now?.policy ?? 'ALLOW'] > STRICTNESS[shown];
}

const STRICTNESS = { ALLOW: 0, PROCEED: 0, WAIT: 1, REVIEW: 2, BLOCK: 3 } as const;

function whoDecided(decidedBy: string): NonNullable<ScreeningVerdict['decidedBy']> {
  if (decidedBy === 'default') return { kind: 'DEFAULT', ruleId: null };
  if (decidedBy === 'undecided') return { kind: 'UNDECIDED', ruleId: null };
  return { kind: 'RULE', ruleId: decidedBy };
}

/** A message that is blocked before it is sent needs no hold. One that is held already is not blocked: its reviewer decides. */
function isStopped({ direction, status, hold }: TransactionRecord, { outcome }: DecidedRules): boolean {
  return outcome === 'BLOCK' && hold === null && direction === 'OUTGOING' && status === 'PENDING';
}

function holdOf(
  { direction }: TransactionRecord,
  { sanctions }: TransactionScreening,
  ruled: RuledFinding | null,
  { outcome, decidedBy }: DecidedRules,
): ScreeningVerdict['hold'] {
  const restsOnSanctions = outcome !== 'PROCEED' && outcome !== 'WAIT' && ruled?.evaluation.restsOnSanctions;
  if (restsOnSanctions || isStoppedByLists(sanctions)) return 'SANCTIONS';
  if (outcome !== 'REVIEW') return null;
  if (decidedBy?.kind === 'COUNTERPARTY') return 'COUNTERPARTY';
  if (ruled?.guarded) return 'RULE';
  // By default the tenant decides on each received message itself: that is no hold.
  return decidedBy?.kind === 'DEFAULT' && direction === 'INCOMING' ? null : 'RULE';
}

/** Codes and counts for the log: no name, no list entry. */
function findingsOf(screening: TransactionScreening): ScreeningVerdict['findings'] {
  const { sanctions, aml, wallet, notAsked, counterparty } = screening;
  const possible = sanctions.subjects.some(({ screening }) => (screening?.totalMatches ?? 0) > 0);
  const match = isStoppedByLists(sanctions) ? 'MATCH' : hasMatch(sanctions) ? 'RELEASED' : null;
  return {
    sanctions: match ?? (possible ? 'POSSIBLE' : isReadWhole(screening) ? 'CLEAR' : 'INCOMPLETE'),
    ...(aml && { amlProvider: aml.provider, amlRiskScore: aml.riskScore, amlRiskSeverity: aml.riskSeverity }),
    ...(notAsked && { notAsked }),
    ...(wallet && { walletClassification: wallet.classification }),
    ...(counterparty && { counterpartyEntityId: counterparty.entityId }),
  };
}
