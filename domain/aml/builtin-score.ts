import type { FoundLabel } from '../labels/label.ts';
import { riskOfType } from './type-risk.ts';
import { findingOf, nothingKnown, type AmlEvidence, type AmlFinding } from './finding.ts';
import { scoreOf } from './score.ts';
import { severityOf } from './severity.ts';

/** The deployment's own data about an address. */
export interface OwnKnowledge {
  /** Matching entries of the active sanctions lists; null if no list is active. */
  sanctions: readonly { list: string; sourceId: string; name: string | null }[] | null;
  labels: readonly FoundLabel[];
  /** Whether it is a confirmed wallet in the tenant's registry. */
  isOwnWallet: boolean;
}

/** The finding of the built-in provider: the worst evidence decides; without evidence there is no score. */
export function judgeOwnKnowledge(known: OwnKnowledge): AmlFinding {
  const evidence = evidenceOf(known).toSorted((one, other) => other.score - one.score);
  const [worst] = evidence;
  const sanctioned = known.sanctions && known.sanctions.length > 0;
  if (!worst) return { ...nothingKnown('NOT_FOUND'), sanctioned };
  // Without an active list a listed wallet could not be found, so only a high score is reported.
  const isSure = sanctioned !== null || severityOf(worst.score) === 'high';
  return findingOf({
    ...(isSure ? scoreOf(worst.score, '0 to 100, high is risky') : { reason: 'NO_SANCTIONS_LIST' }),
    sanctioned,
    entity: { name: worst.label, type: worst.type, country: null },
    evidence,
  });
}

function evidenceOf({ sanctions, labels, isOwnWallet }: OwnKnowledge): AmlEvidence[] {
  return [
    ...(sanctions ?? []).map(({ list, sourceId, name }) =>
      toEvidence({ source: list, type: 'sanction_list', label: name, reference: sourceId }),
    ),
    ...labels.map(({ source, type, label, entityName, reference }) =>
      toEvidence({ source, type, label: entityName ?? label, reference }),
    ),
    ...(isOwnWallet
      ? [toEvidence({ source: 'OWN_REGISTRY', type: 'exchange', label: null, reference: null })]
      : []),
  ];
}

function toEvidence(given: Omit<AmlEvidence, 'score'>): AmlEvidence {
  return { ...given, score: riskOfType(given.type) };
}
