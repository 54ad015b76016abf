import type { FoundLabel } from '../labels/label.ts';
import { riskOfType } from './type-risk.ts';
import { findingOf, nothingKnown, type AmlEvidence, type AmlFinding } from './finding.ts';
import { scoreOf } from './score.ts';
import { severityOf } from './severity.ts';

/** What this deployment itself knows of an address. */
export interface OwnKnowledge {
  /** Entries of the active sanctions lists; null when no list is active, so that nothing can be said. */
  sanctions: readonly { list: string; sourceId: string; name: string | null }[] | null;
  labels: readonly FoundLabel[];
  /** The tenant has registered it as one of its own, confirmed. */
  isOwnWallet: boolean;
}

/** The worst direct evidence decides; without any nothing is known, which is no low score. */
export function judgeOwnKnowledge(known: OwnKnowledge): AmlFinding {
  const evidence = evidenceOf(known).toSorted((one, other) => other.score - one.score);
  const [worst] = evidence;
  const sanctioned = known.sanctions && known.sanctions.length > 0;
  if (!worst) return { ...nothingKnown('NOT_FOUND'), sanctioned };
  // Where no list is active a listed wallet would not be seen: only what is high anyway is said.
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
