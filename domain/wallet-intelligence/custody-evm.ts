import { CUSTODIAL_TYPES } from '../entity-types.ts';
import type { EvmHistory, EvmState, WalletMovement } from './activity.ts';
import { contractKind } from './contract-code.ts';
import { DAPP_KINDS } from './dapp-kinds.ts';
import { largestShare, variation } from './numbers.ts';
import type { NoticedSignal } from './signal.ts';

/** The EVM wallet to be judged; addresses in lower case. */
export interface EvmSubject {
  address: string;
  state: EvmState | null;
  history: EvmHistory | null;
  labelled: ReadonlyMap<string, string>;
}

const FORWARDED_SHARE = 0.8;
const FORWARD_BLOCKS = 10_000;
const MIN_SINGLE_OUT = 5;
const MIN_SENDERS = 3;
const HOT_COUNTERPARTIES = 500;
const MONTH_S = 30 * 86_400;
const MIN_DAPP_KINDS = 3;
/** 0.02 of a coin with 18 decimals: gas for some transfers. */
const SMALL_FUNDING = 20_000_000_000_000_000n;

/** Signals for (+) and against (-) a custodian holding the keys (Victor 2020, doi 10.1007/978-3-030-51280-4_33). */
export function custodySignalsOfEvm(subject: EvmSubject): NoticedSignal[] {
  const { address, history } = subject;
  const moved = history?.movements ?? [];
  const incoming = moved.filter(({ to, from }) => to === address && from !== address);
  const outgoing = moved.filter(({ from, to }) => from === address && to !== address);
  return [
    ...depositForwarder(subject, incoming, outgoing),
    ...gasTopUp(subject, incoming, outgoing),
    ...singleDestination(incoming, outgoing),
    ...hotWalletFan(incoming, outgoing),
    ...codeSignals(subject),
    ...dappUse(outgoing),
    ...ownGas(outgoing),
  ];
}

const isHeld = ({ labelled }: EvmSubject, address: string | null) =>
  address !== null && CUSTODIAL_TYPES.some((type) => type === labelled.get(address));

/** The wallet soon forwards nearly everything it receives to one custodial address. */
function depositForwarder(
  subject: EvmSubject,
  incoming: WalletMovement[],
  outgoing: WalletMovement[],
): NoticedSignal[] {
  for (const token of new Set(incoming.map((movement) => movement.token))) {
    const received = incoming.filter((movement) => movement.token === token && movement.value > 0n);
    const total = received.reduce((sum, { value }) => sum + value, 0n);
    const forwarded = new Map<string, bigint>();
    for (const { to, value, block, token: asset } of outgoing) {
      const isSoon = received.some(
        (funding) => block >= funding.block && block - funding.block <= FORWARD_BLOCKS,
      );
      if (asset === token && to !== null && isSoon) forwarded.set(to, (forwarded.get(to) ?? 0n) + value);
    }
    for (const [to, value] of forwarded) {
      if (total === 0n || value * 100n < total * BigInt(FORWARDED_SHARE * 100)) continue;
      if (isHeld(subject, to)) return [{ code: 'deposit_forwarder', weight: 4, evidence: [to] }];
    }
  }
  return [];
}

/** A known custodian pays the gas for forwarding a token. */
function gasTopUp(
  subject: EvmSubject,
  incoming: WalletMovement[],
  outgoing: WalletMovement[],
): NoticedSignal[] {
  const funding = incoming.find(({ token, value }) => token === null && value > 0n);
  if (!funding || funding.value > SMALL_FUNDING || !isHeld(subject, funding.from)) return [];
  const next = outgoing.find(({ time }) => time >= funding.time);
  const isSweep = outgoing.some(({ token, hash }) => token !== null && hash === next?.hash);
  return isSweep ? [{ code: 'gas_topup', weight: 1.5, evidence: [funding.hash] }] : [];
}

function singleDestination(incoming: WalletMovement[], outgoing: WalletMovement[]): NoticedSignal[] {
  const valued = outgoing.filter(({ value }) => value > 0n);
  const senders = new Set(incoming.map(({ from }) => from));
  const [to, second] = new Set(valued.map((movement) => movement.to));
  if (valued.length < MIN_SINGLE_OUT || second !== undefined || !to || senders.size < MIN_SENDERS) return [];
  return [{ code: 'single_out_counterparty', weight: 1.2, evidence: [to] }];
}

/** The wallet has more counterparties than a person has, projected to 30 days. */
function hotWalletFan(incoming: WalletMovement[], outgoing: WalletMovement[]): NoticedSignal[] {
  const times = [...incoming, ...outgoing].map(({ time }) => time);
  const span = Math.max(3_600, Math.max(...times) - Math.min(...times));
  const perMonth = (count: number) => (count * MONTH_S) / span;
  const [senders, receivers] = [
    new Set(incoming.map(({ from }) => from)).size,
    new Set(outgoing.map(({ to }) => to)).size,
  ];
  if (senders < 20 || receivers < 20) return [];
  const isHot = perMonth(senders) > HOT_COUNTERPARTIES && perMonth(receivers) > HOT_COUNTERPARTIES;
  return isHot ? [{ code: 'hot_wallet_fan', weight: 3 }] : [];
}

function codeSignals(subject: EvmSubject): NoticedSignal[] {
  if (!subject.state) return [];
  const { kind, target } = contractKind(subject.state.code, subject.state.implementationCode);
  if (target && kind !== 'DELEGATED' && isHeld(subject, target)) {
    return [{ code: 'create2_forwarder', weight: 3.5, evidence: [target] }];
  }
  if (kind !== 'SAFE' && kind !== 'ACCOUNT' && kind !== 'DELEGATED') return [];
  return [{ code: 'safe_or_aa', weight: -1.5, evidence: target ? [kind, target] : [kind] }];
}

/** Use of contracts that is typical of persons and not of custodial customer wallets. */
function dappUse(outgoing: WalletMovement[]): NoticedSignal[] {
  const kinds = new Set(outgoing.flatMap(({ selector }) => DAPP_KINDS.get(selector ?? '') ?? []));
  return kinds.size >= MIN_DAPP_KINDS ? [{ code: 'dapp_use', weight: -2.5, evidence: [...kinds] }] : [];
}

/** The wallet pays its own gas, has several recipients and irregular amounts, and does not act like a program. */
function ownGas(outgoing: WalletMovement[]): NoticedSignal[] {
  const paid = outgoing.filter(({ gasPrice, value }) => gasPrice !== null && value > 0n);
  const destinations = new Set(paid.map(({ to }) => to)).size;
  if (paid.length < 5 || destinations < 3) return [];
  const days = Math.max(1, ((paid.at(-1)?.time ?? 0) - (paid[0]?.time ?? 0)) / 86_400);
  const isIrregular = variation(paid.map(({ value }) => Number(value))) > 0.5;
  const hasOneGas = largestShare(paid.map(({ gasPrice }) => gasPrice)) > 0.9;
  const isHuman = isIrregular && !hasOneGas && paid.length / days < 10;
  return isHuman ? [{ code: 'own_gas_human', weight: -1.5 }] : [];
}
