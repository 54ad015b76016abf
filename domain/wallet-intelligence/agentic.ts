import type { EvmState, WalletMovement } from './activity.ts';
import { contractKind } from './contract-code.ts';
import { benfordDistance, entropy, gaps, largestShare, variation } from './numbers.ts';
import { probability, rounded, toSignal, type NoticedSignal, type WalletSignal } from './signal.ts';

export const AGENT_KINDS = ['smart_account', 'bot', 'registered_agent', 'unknown'] as const;
type AgentKind = (typeof AGENT_KINDS)[number];

/** Whether a program operates the wallet; `detected` is null if there is too little data. */
export interface AgenticSigns {
  detected: boolean | null;
  confidence: number;
  kind: AgentKind | null;
  signals: WalletSignal[];
  reason: string | null;
}

/** A transaction sent by the wallet itself; fields that the chain does not have are null. */
export type ObservedAct = Pick<WalletMovement, 'time' | 'gasPrice' | 'gasLimit' | 'selector'> & {
  block: number | null;
  value: bigint;
};

export interface ObservedWallet {
  address: string;
  /** Oldest first. */
  acts: readonly ObservedAct[];
  state: EvmState | null;
  /** Whether a label says that the wallet is a bot. */
  isLabelledBot: boolean;
  /** Why there are no acts; null if there are some. */
  lack: string | null;
}

/** Groups of signals; signals of one group depend on each other. */
type SignalGroup = 'TIME' | 'RATE' | 'GAS' | 'AMOUNT' | 'CALLS' | 'ADDRESS' | 'LABEL' | 'CODE' | 'REGISTRY';
type GroupedSignal = NoticedSignal & { group: SignalGroup };

const PRIOR = -1.5;
const CERTAIN = 0.8;
const MIN_ACTS = 20;
const MIN_GROUPS = 2;
const DAY_S = 86_400;

/**
 * Detects wallets operated by programs: by timing, gas and calls (Niedermayer, Saggese, Haslhofer 2024, arXiv
 * 2403.19530) and by ERC-4337, EIP-7702 and the ERC-8004 registry. A registry entry is the owner's own statement and
 * decides alone.
 */
export function detectAgent(actor: ObservedWallet): AgenticSigns {
  const noticed = [
    ...registrySignals(actor),
    ...codeSignals(actor),
    ...labelSignals(actor),
    ...actSignals(actor),
  ];
  const signals = noticed.map((each) => toSignal(each));
  const p = probability(signals.reduce((sum, { contribution }) => sum + contribution, PRIOR));
  const isRegistered = actor.state?.isRegisteredAgent === true;
  const groups = new Set(noticed.filter(({ weight }) => weight > 0).map(({ group }) => group)).size;
  const isKnown = isRegistered || (p >= CERTAIN && groups >= MIN_GROUPS);
  if (isKnown) return { detected: true, confidence: rounded(p), kind: kindOf(actor), signals, reason: null };
  const undecided = (reason: string) => ({ detected: null, confidence: 0, kind: null, signals, reason });
  if (actor.acts.length < MIN_ACTS)
    return undecided(actor.lack ?? `Fewer than ${MIN_ACTS} outgoing transactions.`);
  if (p > 1 - CERTAIN) return undecided('The signals do not agree.');
  return { detected: false, confidence: rounded(1 - p), kind: null, signals, reason: null };
}

function kindOf({ state, isLabelledBot, acts }: ObservedWallet): AgentKind {
  if (state?.isRegisteredAgent) return 'registered_agent';
  const { kind } = contractKind(state?.code ?? '0x', state?.implementationCode);
  if (kind === 'ACCOUNT' || kind === 'DELEGATED' || kind === 'SAFE') return 'smart_account';
  return isLabelledBot || acts.length >= MIN_ACTS ? 'bot' : 'unknown';
}

function registrySignals({ state }: ObservedWallet): GroupedSignal[] {
  return state?.isRegisteredAgent ? [{ group: 'REGISTRY', code: 'erc8004_agent', weight: 5 }] : [];
}

/** Weak signals: an account that programs can use is not necessarily used by one. */
function codeSignals({ state }: ObservedWallet): GroupedSignal[] {
  const { kind, target } = contractKind(state?.code ?? '0x', state?.implementationCode);
  if (kind === 'ACCOUNT')
    return [{ group: 'CODE', code: 'erc4337_account', weight: 1, evidence: target ? [target] : [] }];
  if (kind === 'DELEGATED')
    return [{ group: 'CODE', code: 'eip7702_delegation', weight: 1, evidence: target ? [target] : [] }];
  return [];
}

function labelSignals({ isLabelledBot, address }: ObservedWallet): GroupedSignal[] {
  const signals: GroupedSignal[] = [];
  if (isLabelledBot) signals.push({ group: 'LABEL', code: 'bot_label', weight: 3 });
  if (/^0x0{6}/.test(address)) signals.push({ group: 'ADDRESS', code: 'vanity_address', weight: 0.7 });
  return signals;
}

function actSignals({ acts }: ObservedWallet): GroupedSignal[] {
  if (acts.length < MIN_ACTS) return [];
  const times = acts.map(({ time }) => time);
  return [...restSignals(times), ...rateSignals(acts), ...rhythmSignals(times), ...sameSignals(acts)];
}

/** Signals from rest periods: a person does not stay awake for days. */
function restSignals(times: readonly number[]): GroupedSignal[] {
  const days = spanOf(times) / DAY_S;
  if (days < 10 || times.length < 50) return [];
  const pauses = longestPauses(times);
  const average = pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
  if (average <= 6 * 3_600) return [{ group: 'TIME', code: 'sleepless', weight: 2 }];
  return nightShare(times) >= 0.7 ? [{ group: 'TIME', code: 'sleeps_at_night', weight: -2 }] : [];
}

/** The longest pause in each two-day window that has pauses. */
function longestPauses(times: readonly number[]): number[] {
  const start = times[0] ?? 0;
  const byWindow = new Map<number, number>();
  gaps(times).forEach((gap, index) => {
    const window = Math.floor(((times[index] ?? start) - start) / (2 * DAY_S));
    byWindow.set(window, Math.max(byWindow.get(window) ?? 0, gap));
  });
  return [...byWindow.values()];
}

/** The share of days with a pause of at least six hours that includes the wallet's quietest hour. */
function nightShare(times: readonly number[]): number {
  const hours = Array.from({ length: 24 }, (_, hour) => times.filter((time) => hourOf(time) === hour).length);
  const quiet = hours.indexOf(Math.min(...hours));
  const days = new Set(times.map((time) => Math.floor(time / DAY_S)));
  const nights = new Set<number>();
  gaps(times).forEach((gap, index) => {
    const from = times[index] ?? 0;
    if (gap < 6 * 3_600 || gap > 2 * DAY_S) return;
    for (let at = from; at < from + gap; at += 3_600)
      if (hourOf(at) === quiet) nights.add(Math.floor(at / DAY_S));
  });
  return days.size === 0 ? 0 : Math.min(1, nights.size / days.size);
}

const hourOf = (time: number) => Math.floor((time % DAY_S) / 3_600);
const spanOf = (times: readonly number[]) => (times.at(-1) ?? 0) - (times[0] ?? 0);

function rateSignals(acts: readonly ObservedAct[]): GroupedSignal[] {
  const times = acts.map(({ time }) => time);
  const blocks = acts.flatMap(({ block }) => block ?? []);
  const perSecond = acts.length / Math.max(1, spanOf(times));
  const perBlock = blocks.length / Math.max(1, spanOf(blocks));
  if (blocks.length > 0 && perBlock > 0.2) return [{ group: 'RATE', code: 'every_few_blocks', weight: 3 }];
  return perSecond > 0.01 ? [{ group: 'RATE', code: 'high_rate', weight: 2.5 }] : [];
}

function rhythmSignals(times: readonly number[]): GroupedSignal[] {
  const signals: GroupedSignal[] = [];
  const counts = Array.from(
    { length: 24 },
    (_, hour) => times.filter((time) => hourOf(time) === hour).length,
  );
  // Below some hundred transactions, even a uniform distribution does not reach this entropy.
  if (entropy(counts) > 4.3) signals.push({ group: 'TIME', code: 'all_hours', weight: 1.2 });
  const pauses = gaps(times);
  const periods = pauses.map((gap) => Math.round(gap / 60));
  const isRegular = variation(pauses) < 0.3 || (largestShare(periods) > 0.6 && spanOf(times) > 3_600);
  if (isRegular) signals.push({ group: 'TIME', code: 'regular_intervals', weight: 1.5 });
  return signals;
}

function sameSignals(acts: readonly ObservedAct[]): GroupedSignal[] {
  const signals: GroupedSignal[] = [];
  const gas = acts.flatMap(({ gasLimit, gasPrice }) => (gasPrice === null ? [] : `${gasLimit}/${gasPrice}`));
  if (gas.length >= MIN_ACTS && largestShare(gas) > 0.9)
    signals.push({ group: 'GAS', code: 'constant_gas', weight: 0.8 });
  const selectors = acts.flatMap(({ selector }) => selector ?? []);
  if (selectors.length >= MIN_ACTS && largestShare(selectors) > 0.9)
    signals.push({ group: 'CALLS', code: 'same_call', weight: 0.8 });
  const digits = acts.flatMap(({ value }) => (value > 0n ? Number(String(value)[0]) : []));
  // 20.09 is the 99th percentile of chi-square with 8 degrees of freedom.
  if (digits.length >= 100 && benfordDistance(digits) > 20.09)
    signals.push({ group: 'AMOUNT', code: 'unnatural_amounts', weight: 0.5 });
  return signals;
}
