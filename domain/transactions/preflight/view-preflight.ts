import { decimalToNumber } from '../../decimal.ts';
import type { RuleEvaluation } from '../../rules/schema.ts';
import { clearanceOf } from '../clearance.ts';
import { completenessOf } from '../completeness.ts';
import { decisionOnWallet } from '../self-hosted/self-hosted.ts';
import { isSelfHosted } from '../self-hosted-wallet.ts';
import { warningsOf } from '../viewing/warnings.ts';
import { foreseen, type JudgedPreflight, type Preflight } from './preflight.ts';
import type { PreflightAnswer } from './schema.ts';

/** The response body of a preflight. It names nobody whom the request has not named. */
export function viewPreflight(preflight: Preflight): PreflightAnswer {
  const { record, route, vasp, judged } = preflight;
  const completeness = completenessOf(record);
  const { outcome, reasons, nextAction } = clearanceOf(foreseen(preflight));
  return {
    blockchain: record.blockchain,
    amountUsd: numberOf(record.amountUsd),
    amountEur: numberOf(record.amountEur),
    completeness,
    missingFields: (completeness?.missing ?? []).map((path) => ({ anyOf: alternativesOf(path) })),
    route: {
      outcome: route.outcome,
      vasp: vasp && {
        entityId: vasp.entityId,
        name: vasp.name,
        inNetwork: vasp.inNetwork,
        policy: vasp.policy,
      },
      skipped: [...route.skipped],
    },
    proof: isSelfHosted(record) ? viewProof(preflight) : null,
    screening: viewScreening(preflight),
    decision: judged && viewDecision(judged),
    clearance: { outcome, reasons, nextAction },
    warnings: warningsOf(record),
  };
}

function numberOf(decimal: string | null): number | null {
  return decimal === null ? null : decimalToNumber(decimal);
}

/** `originator.address+country|originator.lei` as groups of JSON Pointers. */
function alternativesOf(path: string): string[][] {
  return path.split('|').map((alternative) => {
    const [holder = '', names = ''] = alternative.split('.');
    return names.split('+').map((name) => `/${holder}/${name}`);
  });
}

function viewProof({ record, proofs, selfHosted, allowedFlows, now }: Preflight): PreflightAnswer['proof'] {
  const decision = decisionOnWallet(record, proofs, selfHosted, now);
  if (decision.kind === 'CONFIRM') {
    const verificationId = decision.basis.kind === 'VERIFICATION' ? decision.basis.id : null;
    return { required: false, verificationId, need: null, lack: null, flows: [...allowedFlows] };
  }
  const { need, lack } = decision;
  const isStrict = need !== 'NO_AUTOMATIC_CONFIRMATION';
  const flows = allowedFlows.filter((flow) => !isStrict || selfHosted.flowsAbove.includes(flow));
  return { required: true, verificationId: null, need, lack, flows };
}

function viewScreening({ lists, judged }: Preflight): PreflightAnswer['screening'] {
  if (!judged) {
    const unknown = { nameMatch: null, addressMatch: null, amlRiskScore: null, walletClassification: null };
    return { lists, subjects: [], aml: 'TO_BE_ASKED', ...unknown };
  }
  const { sanctions, aml, wallet, notAsked } = judged.screening;
  return {
    lists,
    nameMatch: sanctions.nameMatch,
    addressMatch: sanctions.addressMatch,
    subjects: sanctions.subjects.map(({ role, screening }) => ({
      role,
      sanctioned: screening?.sanctioned ?? null,
      totalMatches: screening?.totalMatches ?? 0,
    })),
    aml: aml ? 'KNOWN' : (notAsked ?? 'TO_BE_ASKED'),
    amlRiskScore: aml?.riskScore ?? null,
    walletClassification: wallet?.classification ?? null,
  };
}

function viewDecision({ verdict, evaluation }: JudgedPreflight): PreflightAnswer['decision'] {
  const { outcome, decidedBy, rulesVersion } = verdict;
  if (!decidedBy) return null;
  return {
    outcome,
    decidedBy: decidedBy.kind,
    ruleId: decidedBy.ruleId,
    reason: evaluation?.reason ?? null,
    rulesVersion,
    waitMinutes: evaluation?.waitMinutes ?? null,
    missingFacts: evaluation ? missingFactsOf(evaluation) : [],
  };
}

function missingFactsOf({ rules }: RuleEvaluation) {
  const leaves = rules.filter(({ result }) => result === 'UNDECIDED').flatMap(({ trace }) => trace);
  return [...new Set(leaves.filter(({ missing }) => missing).map(({ field }) => field))];
}
