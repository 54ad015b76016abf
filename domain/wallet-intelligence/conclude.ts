import type { WalletMovement, WalletObservation, UtxoTransaction } from './activity.ts';
import { detectAgent, type ObservedAct, type AgenticSigns } from './agentic.ts';
import type { WalletClassification, CheckSource, CheckedWallet } from './check.ts';
import { ENGINE_VERSION } from './check.ts';
import { custodySignalsOfBitcoin } from './custody-bitcoin.ts';
import { custodySignalsOfEvm } from './custody-evm.ts';
import { findingsOf, type OwnDataFinding, type OwnData } from './own-data.ts';
import type { WalletCheck } from './schema.ts';
import { probability, rounded, toSignal, type NoticedSignal, type WalletSignal } from './signal.ts';

/** Log-odds without any evidence: slightly more wallets are held by their owners. */
const PRIOR = -0.4;
const CERTAIN = 0.8;
const FEW = 5;
/** Factor for signals if there are fewer than FEW transactions. */
const FEW_FACTOR = 0.3;
const TRUNCATED_FACTOR = 0.8;

/** Classification of a wallet by its behaviour. */
interface WalletBehaviour {
  classification: WalletClassification;
  confidence: number;
  reason: string | null;
  signals: WalletSignal[];
}

interface ConclusionInput {
  id: string;
  wallet: CheckedWallet;
  /** Null if only the behaviour is checked. */
  ownData: OwnData | null;
  observation: WalletObservation;
  now: Date;
}

/** The complete wallet check. The first conclusive source decides; the findings of all sources are included. */
export function conclude({ id, wallet, ownData, observation, now }: ConclusionInput): WalletCheck {
  const findings = ownData ? findingsOf(ownData) : [];
  const behaviour = judgeBehaviour(wallet, observation);
  const decided = decide(findings, behaviour);
  return {
    id,
    blockchain: wallet.chain.name,
    address: wallet.address,
    heuristicOnly: ownData === null,
    ...decided,
    confidence: rounded(decided.confidence),
    entity: ownData && entityOf(ownData),
    signals: [...findings.map(({ signal }) => toSignal(signal)), ...behaviour.signals],
    sources: sourcesOf(ownData, observation),
    dataWindow: windowOf(observation),
    agentic: agenticOf(wallet, observation, ownData),
    engineVersion: ENGINE_VERSION,
    checkedAt: now.toISOString(),
  };
}

/** What is said of findings that decide nothing. */
const HINTS: readonly [CheckSource, string][] = [
  ['NETWORK', 'Another tenant has registered the address, which nobody has checked. '],
  ['LABELS', 'A label says what the address is, but not who holds its keys. '],
];

type CustodyDecision = Pick<WalletCheck, 'classification' | 'confidence' | 'source' | 'reason'>;

function decide(findings: readonly OwnDataFinding[], behaviour: WalletBehaviour): CustodyDecision {
  const found = findings.find(({ classification }) => classification !== 'UNKNOWN');
  if (found) {
    return {
      classification: found.classification,
      confidence: found.confidence,
      source: found.source,
      reason: null,
    };
  }
  const { classification, confidence, reason } = behaviour;
  const hint = HINTS.filter(([source]) => findings.some((finding) => finding.source === source))
    .map(([, text]) => text)
    .join('');
  return classification === 'UNKNOWN'
    ? { classification, confidence, source: null, reason: hint + (reason ?? '') }
    : { classification, confidence, source: 'BEHAVIOUR', reason: null };
}

/** Classifies by behaviour. This includes the labels of counterparties, which are not loaded with `heuristicOnly`. */
function judgeBehaviour({ addressNormal }: CheckedWallet, observation: WalletObservation): WalletBehaviour {
  const { evm, evmHistory, utxoHistory, labelled, lack } = observation;
  const address = evm || evmHistory ? addressNormal.toLowerCase() : addressNormal;
  const noticed: NoticedSignal[] = utxoHistory
    ? custodySignalsOfBitcoin({ address, history: utxoHistory, labelled })
    : custodySignalsOfEvm({ address, state: evm, history: evmHistory, labelled });
  const seen = transactionsOf(observation).length;
  const factor = seen < FEW ? FEW_FACTOR : 1;
  const signals = noticed.map((each) => toSignal(each, factor));
  const p = probability(signals.reduce((sum, { contribution }) => sum + contribution, PRIOR));
  const dataFactor = factor * (windowOf(observation).truncated ? TRUNCATED_FACTOR : 1);
  const confidence = 2 * Math.abs(p - 0.5) * dataFactor;
  if (seen >= FEW && p >= CERTAIN) return { classification: 'CUSTODIAL', confidence, reason: null, signals };
  if (seen >= FEW && p <= 1 - CERTAIN)
    return { classification: 'NON_CUSTODIAL', confidence, reason: null, signals };
  const few =
    seen < FEW ? `Fewer than ${FEW} transactions are known.` : 'The behaviour of the wallet fits both.';
  return { classification: 'UNKNOWN', confidence: 0, reason: lack ?? few, signals };
}

function transactionsOf({
  evmHistory,
  utxoHistory,
}: WalletObservation): (WalletMovement | UtxoTransaction)[] {
  return [...(utxoHistory?.transactions ?? evmHistory?.movements ?? [])];
}

function entityOf({ labels: [label], labelledEntityId: id }: OwnData): WalletCheck['entity'] {
  return label ? { id, name: label.entityName ?? label.label, type: label.type } : null;
}

function sourcesOf(ownData: OwnData | null, { lack }: WalletObservation): WalletCheck['sources'] {
  const consulted = (source: CheckSource, reason: string | null = null) => ({
    source,
    status: ownData ? ('CONSULTED' as const) : ('SKIPPED' as const),
    reason: ownData ? reason : 'Only behaviour was requested.',
  });
  const loading =
    ownData && !ownData.areLabelsLoaded ? 'The labels of this release are still being loaded.' : null;
  return [
    consulted('OWN_REGISTRY'),
    consulted('OWN_VERIFICATION'),
    consulted('NETWORK'),
    consulted('LABELS', loading),
    { source: 'BEHAVIOUR', status: lack === null ? 'CONSULTED' : 'SKIPPED', reason: lack },
  ];
}

function windowOf(observation: WalletObservation): WalletCheck['dataWindow'] {
  const { evm, evmHistory, utxoHistory } = observation;
  const times = transactionsOf(observation).flatMap(({ time }) => time ?? []);
  const moment = (time: number | undefined) =>
    time === undefined ? null : new Date(time * 1_000).toISOString();
  const hashes = transactionsOf(observation).map((each) => ('id' in each ? each.id : each.hash));
  const providers: WalletCheck['dataWindow']['providers'] = evm ? ['NODE'] : [];
  return {
    transactions: new Set(hashes).size,
    firstSeen: moment(times[0]),
    lastSeen: moment(times.at(-1)),
    truncated: (evmHistory ?? utxoHistory)?.truncated ?? false,
    providers: evmHistory || utxoHistory ? [...providers, 'INDEXER'] : providers,
  };
}

function agenticOf(
  wallet: CheckedWallet,
  observation: WalletObservation,
  ownData: OwnData | null,
): AgenticSigns {
  const address = observation.utxoHistory ? wallet.addressNormal : wallet.addressNormal.toLowerCase();
  return detectAgent({
    address,
    acts: actsOf(address, observation),
    state: observation.evm,
    isLabelledBot: ownData?.labels.some(({ type }) => type === 'bot') ?? false,
    lack: observation.lack,
  });
}

/** Transactions sent by the wallet itself. Token transfers are left out: they belong to calls that are counted already. */
function actsOf(address: string, { evmHistory, utxoHistory }: WalletObservation): ObservedAct[] {
  if (utxoHistory) {
    const spends = utxoHistory.transactions.filter(({ inputs }) =>
      inputs.some((input) => input.address === address),
    );
    const none = { block: null, gasPrice: null, gasLimit: null, selector: null };
    return spends.flatMap(({ time, outputs }) =>
      time === null ? [] : { ...none, time, value: BigInt(outputs[0]?.value ?? 0) },
    );
  }
  return (evmHistory?.movements ?? []).filter(({ from, gasPrice }) => from === address && gasPrice !== null);
}
