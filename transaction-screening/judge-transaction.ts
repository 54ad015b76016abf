import { counterpartyOf } from '../db/lifecycle/resolve-counterparty.ts';
import { storedFactsOf } from '../db/lifecycle/judgement-basis.ts';
import type { RoutedCounterparty } from '../domain/transactions/lifecycle/route.ts';
import { readScreeningContext } from '../db/lifecycle/read-screening-context.ts';
import type { TransactionJudgement } from '../db/lifecycle/settle-screening.ts';
import { newId } from '../db/new-id.ts';
import { findLatestScreening } from '../db/transactions/get-screening.ts';
import type { OpenTransaction } from '../db/transactions/row.ts';
import type { Database } from '../db/database.ts';
import { combineFindings } from '../domain/transactions/deciding/combine-findings.ts';
import {
  notAskedOf,
  otherWallet,
  servesAgain,
  type TransactionScreening,
} from '../domain/transactions/deciding/screening.ts';
import { hasMatch, releasesOf } from '../domain/transactions/deciding/released-matches.ts';
import { isSelfHosted, selfHostedWallet } from '../domain/transactions/self-hosted-wallet.ts';
import { sealDecision } from '../db/rules/seal-decision.ts';
import { applyRules } from './apply-rules.ts';
import { compareCompletely, type ListsUnavailable } from './compare-completely.ts';
import { matchesOf, sanctionsOf, searchedVersions } from './compare-with-lists.ts';
import { isStillValid } from './is-still-valid.ts';
import { gatherFindings, needsNetwork, type ProviderChecks, type ScreeningDeps } from './gather-findings.ts';

/** What is missing for a screening; a code for the event log and operators. */
export type MissingSource = 'SANCTIONS_LISTS' | 'AML';

export type JudgementOutcome =
  /** `receiver` is where the message would be delivered: the VASP that it was judged with. */
  | { kind: 'JUDGED'; settlement: TransactionJudgement; receiver: RoutedCounterparty | null }
  /** The providers have to be queried first, which needs the network. */
  | { kind: 'NEEDS_PROVIDERS' }
  | ListsUnavailable;

/**
 * Screens a transaction and decides on it by lists, own data and rules, without changing it: settleScreening applies
 * the result. `providerChecks` are the stored results of outside providers for this version of the record.
 */
export async function judgeTransaction(
  deps: ScreeningDeps,
  open: OpenTransaction,
  providerChecks: ProviderChecks | undefined,
): Promise<JudgementOutcome> {
  const { record } = open;
  const now = deps.now();
  const { entityId, receiver } = await counterpartyOf(deps.db.pool, record, deps.db);
  const context = await readScreeningContext(deps.db, record, entityId, now);
  const previous = record.version === 1 ? null : await findLatestScreening(deps.db, open);
  const known = servesAgain(previous, record, context.amlProvider, now) ? previous : null;
  // Results for an earlier version of the record do not count for this one.
  const checks = providerChecks?.version === record.version ? providerChecks : undefined;
  if (!checks && !known && needsNetwork(deps, record, context)) return { kind: 'NEEDS_PROVIDERS' };
  const compared = await compareCompletely(deps.sanctions, open, context);
  if (!Array.isArray(compared)) return compared;
  const findings = await gatherFindings(deps, record, { context, checks, known });
  // A provider that was deactivated meanwhile was not asked.
  const isUnanswered = checks?.isUnanswered === true || known?.notAsked === null;
  const isAsked = findings.aml !== null || isUnanswered;
  const provider = isAsked ? context.amlProvider : null;
  const screening: TransactionScreening = {
    id: newId(now),
    recordVersion: record.version,
    screenedAt: now.toISOString(),
    sanctions: sanctionsOf(compared, await findReleased(deps.db, open)),
    otherWallet: otherWallet(record),
    ...findings,
    notAsked: notAskedOf(record, provider),
    counterparty: context.counterparty,
  };
  const ruled = await applyRules(deps.db, { record, screening, context, now });
  const verdict = combineFindings(record, screening, ruled, {
    holdIncomplete: context.settings.holdIncomplete,
    previous,
  });
  const guardCount = ruled?.guardCount ?? null;
  const sealed = ruled && sealDecision(open.key, ruled.decision);
  const decision = ruled && sealed && { ...ruled.decision, sealed };
  const wallet = isSelfHosted(record) ? selfHostedWallet(record) : null;
  const basis = {
    tenantId: record.tenantId,
    direction: record.direction,
    settings: context.settings,
    listVersions: Object.fromEntries(searchedVersions(compared)),
    rulesVersion: ruled?.version ?? null,
    ...storedFactsOf(context),
    verification: wallet && context.verification,
    wallet,
  };
  const matches = matchesOf(compared);
  const { suppressionRemovedAt } = context;
  const judged = { record, suppressionRemovedAt, verdict, screening, previous, decision, receiver };
  const stands = await isStillValid(deps.db, judged);
  const named = sealed ? { ...verdict, ruleDecision: { id: sealed.id, hash: sealed.hash } } : verdict;
  const settlement = { open, screening, verdict: named, decision, guardCount, matches, basis, stands, now };
  return { kind: 'JUDGED', settlement, receiver };
}

/** The screenings that reviewers have let pass: only what they did not show needs another review. */
async function findReleased(db: Database, open: OpenTransaction): Promise<TransactionScreening[]> {
  const released: TransactionScreening[] = [];
  for (const release of releasesOf(open.record)) {
    const shown = await findLatestScreening(db, open, release);
    // Without a match in it, the reviewer has released something else.
    if (shown && hasMatch(shown.sanctions)) released.push(shown);
  }
  return released;
}
