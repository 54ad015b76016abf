import { FORMAT_RULES } from '../addresses/format-rules.ts';
import { findBlockchain, type Blockchain } from '../blockchains.ts';
import type { FoundLabel } from '../labels/label.ts';
import { CUSTODIAL_TYPES } from '../labels/label-types.ts';
import type { WalletProof } from '../verifications/wallet-proof.ts';
import type { ProofWarning } from '../verifications/risk.ts';
import type { Flow } from '../verifications/state.ts';
import type { WalletClassification, CheckSource } from './check.ts';
import type { NoticedSignal } from './signal.ts';

/** What the deployment itself knows of a wallet. */
export interface OwnData {
  /** The tenant has confirmed that the wallet is its own. */
  isOwn: boolean;
  /** Another tenant has registered it as its own. */
  isOfNetwork: boolean;
  proofs: readonly WalletProof[];
  labels: readonly FoundLabel[];
  /** False while the labels that come with the product are being loaded. */
  areLabelsLoaded: boolean;
}

/** What a piece of own data says; one without a classification is told but decides nothing. */
export interface OwnDataFinding {
  source: CheckSource;
  classification: WalletClassification;
  /** 0..1 */
  confidence: number;
  signal: NoticedSignal;
}

const OWN = 1;
const NETWORK = 0.97;
const LABEL = 0.9;
/** Below this a label is too weak to decide by itself. */
const LEAST_LABEL = 0.5;
/** By the weakest way of proving: a word of one's own is none. */
const PROOF: Record<Flow, number> = {
  SIGNATURE_PROOF: 0.98,
  SATOSHI_TEST: 0.98,
  VISUAL_PROOF: 0.9,
  SELF_DECLARED: 0,
};
/** What the proof rested on is not there any more. */
const DOUBTS: readonly ProofWarning[] = ['PROOF_REORGED', 'REUSE_SOURCE_WITHDRAWN'];

/** What own data says, the source that counts most first. */
export function findingsOf(data: OwnData): OwnDataFinding[] {
  const findings: OwnDataFinding[] = [];
  if (data.isOwn) findings.push(custodial('OWN_REGISTRY', OWN, { code: 'own_wallet', weight: 7 }));
  for (const proof of data.proofs.slice(0, 1)) findings.push(proofFinding(proof));
  if (data.isOfNetwork) findings.push(custodial('NETWORK', NETWORK, { code: 'network_wallet', weight: 3.5 }));
  return [...findings, ...data.labels.map(labelFinding)];
}

function custodial(source: CheckSource, confidence: number, signal: NoticedSignal): OwnDataFinding {
  return { source, classification: 'CUSTODIAL', confidence, signal };
}

function proofFinding({ verificationId, flows, warnings }: WalletProof): OwnDataFinding {
  const isDoubted = warnings.some((warning) => DOUBTS.includes(warning));
  const sure = isDoubted || flows.length === 0 ? 0 : Math.min(...flows.map((flow) => PROOF[flow]));
  return {
    source: 'OWN_VERIFICATION',
    classification: sure > 0 ? 'NON_CUSTODIAL' : 'UNKNOWN',
    confidence: sure,
    signal: {
      code: sure > 0 ? 'ownership_proven' : 'ownership_claimed',
      weight: sure > 0 ? -4 : -0.5,
      evidence: [verificationId],
    },
  };
}

function labelFinding(label: FoundLabel): OwnDataFinding {
  const confidence = LABEL * (label.confidence / 100);
  const decides = CUSTODIAL_TYPES.includes(label.type) && confidence >= LEAST_LABEL;
  return {
    source: 'LABELS',
    classification: decides ? 'CUSTODIAL' : 'UNKNOWN',
    confidence: decides ? confidence : 0,
    signal: {
      code: `label_${label.type}`,
      weight: decides ? 2.2 : 0,
      value: label.confidence / 100,
      evidence: [`${label.source}: ${label.label}`, ...(label.reference ? [label.reference] : [])],
    },
  };
}

/** Addresses of one form belong to one holder on all chains that write them so; other forms mean other wallets. */
export function labelFits(chain: Blockchain, { blockchain }: Pick<FoundLabel, 'blockchain'>): boolean {
  const labelled = blockchain === null ? undefined : findBlockchain(blockchain);
  return !labelled || FORMAT_RULES[labelled.addressFormat] === FORMAT_RULES[chain.addressFormat];
}
