import { FORMAT_RULES } from '../addresses/format-rules.ts';
import { shareHashes } from '../addresses/shared-hashes.ts';
import { findBlockchain, type Blockchain } from '../blockchains.ts';
import type { FoundLabel } from '../labels/label.ts';
import { CUSTODIAL_TYPES } from '../entity-types.ts';
import type { WalletProof } from '../verifications/wallet-proof.ts';
import type { ProofWarning } from '../verifications/risk.ts';
import type { VerificationFlow } from '../verifications/state.ts';
import type { WalletClassification, CheckSource } from './check.ts';
import type { NoticedSignal } from './signal.ts';

/**
 * Another tenant has registered the wallet as its own. Only an ATTESTED one, which an operator has checked, decides: anybody
 * can register any address.
 */
export type NetworkRegistration = 'ATTESTED' | 'REGISTERED';

/** The deployment's own data about a wallet. */
export interface OwnData {
  /** Whether it is a confirmed wallet of the tenant. */
  isOwn: boolean;
  /** What other tenants have to do with it. */
  network: NetworkRegistration | null;
  proofs: readonly WalletProof[];
  labels: readonly FoundLabel[];
  /** The entity of the first label in the directory; null where it is not there. */
  labelledEntityId: string | null;
  /** False while the bundled labels are being loaded. */
  areLabelsLoaded: boolean;
}

/** The finding from one piece of own data. One without a classification is reported, but decides nothing. */
export interface OwnDataFinding {
  source: CheckSource;
  classification: WalletClassification;
  /** 0 to 1. */
  confidence: number;
  signal: NoticedSignal;
}

const OWN = 1;
const NETWORK = 0.97;
const LABEL = 0.9;
/** Minimum confidence for a label to decide alone. */
const MIN_LABEL = 0.5;
/** Confidence by verification flow; a declaration proves nothing. With several possible flows the weakest counts. */
const PROOF: Record<VerificationFlow, number> = {
  SIGNATURE_PROOF: 0.98,
  SATOSHI_TEST: 0.98,
  VISUAL_PROOF: 0.9,
  SELF_DECLARED: 0,
};
/** Warnings by which a proof decides nothing: its evidence has disappeared, or it was made for something else. */
const DOUBTS: readonly ProofWarning[] = [
  'PROOF_REORGED',
  'REUSE_SOURCE_WITHDRAWN',
  'MESSAGE_REPLAYED',
  'FOREIGN_DOMAIN',
  'ADDRESS_SANCTIONED',
];

/** The findings from own data, in order of precedence. */
export function findingsOf(data: OwnData): OwnDataFinding[] {
  const findings: OwnDataFinding[] = [];
  if (data.isOwn) findings.push(custodial('OWN_REGISTRY', OWN, { code: 'own_wallet', weight: 7 }));
  const sure = data.proofs.filter((proof) => !mayBeCustodians(proof));
  findings.push(...surestOf(sure));
  if (data.network) findings.push(networkFinding(data.network));
  findings.push(...data.labels.map(labelFinding));
  return sure.length > 0 ? findings : [...findings, ...surestOf(data.proofs)];
}

/** A text that an exchange may have published, or a wallet of one, which pays out for any of its customers. */
function mayBeCustodians({ warnings }: WalletProof): boolean {
  return warnings.includes('UNBOUND_MESSAGE') || warnings.includes('ADDRESS_CUSTODIAL');
}

/** Any proof counts, not only the newest one: the surest. */
function surestOf(proofs: readonly WalletProof[]): OwnDataFinding[] {
  return proofs
    .map(proofFinding)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, 1);
}

function custodial(source: CheckSource, confidence: number, signal: NoticedSignal): OwnDataFinding {
  return { source, classification: 'CUSTODIAL', confidence, signal };
}

function networkFinding(network: NetworkRegistration): OwnDataFinding {
  if (network === 'ATTESTED') return custodial('NETWORK', NETWORK, { code: 'network_wallet', weight: 3.5 });
  const signal = { code: 'network_claimed', weight: 0 };
  return { source: 'NETWORK', classification: 'UNKNOWN', confidence: 0, signal };
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
  const decides = CUSTODIAL_TYPES.includes(label.type) && confidence >= MIN_LABEL;
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

/**
 * Whether a label of an address applies on a chain. An address has the same holder on all chains with the same address
 * format, and on those that share some of their spellings.
 */
export function labelFits(
  { addressFormat }: Blockchain,
  { blockchain }: Pick<FoundLabel, 'blockchain'>,
): boolean {
  const labelled = blockchain === null ? undefined : findBlockchain(blockchain);
  if (!labelled) return true;
  const isSameFormat = FORMAT_RULES[labelled.addressFormat] === FORMAT_RULES[addressFormat];
  return isSameFormat || shareHashes(labelled.addressFormat, addressFormat);
}
