import { CUSTODIAL_TYPES } from '../entity-types.ts';
import type { UtxoHistory, UtxoTransaction } from './activity.ts';
import { countOf, variation } from './numbers.ts';
import type { NoticedSignal } from './signal.ts';

export interface UtxoSubject {
  address: string;
  history: UtxoHistory;
  labelled: ReadonlyMap<string, string>;
}

const SWEPT_INPUTS = 20;
const SWEPT_OWNERS = 5;
const PAYOUT_OUTPUTS = 20;
const MANY_FUNDERS = 100;
const MIN_SPENDS = 3;
const EQUAL_OUTPUTS = 5;

/** Signals for (+) and against (-) a custodian holding the keys of a Bitcoin address. */
export function custodySignalsOfBitcoin(subject: UtxoSubject): NoticedSignal[] {
  const { address, history } = subject;
  const spends = history.transactions.filter(({ inputs }) =>
    inputs.some((input) => input.address === address),
  );
  const funded = history.transactions.filter(
    ({ inputs, outputs }) =>
      outputs.some((output) => output.address === address) &&
      !inputs.some((input) => input.address === address),
  );
  const joins = spends.filter(isCoinJoin);
  const plain = spends.filter((spend) => !isCoinJoin(spend));
  return [
    ...swept(plain),
    ...payout(plain),
    ...labelledCluster(subject, plain),
    ...manyFunders(funded, plain),
    ...oneDestination(address, plain),
    ...simpleSpends(plain),
    ...freshSegwit(address, funded, plain),
    ...(joins.length > 0 ? [{ code: 'coinjoin', weight: -2, evidence: idsOf(joins) }] : []),
  ];
}

const idsOf = (transactions: readonly UtxoTransaction[]) => transactions.map(({ id }) => id);
const ownersOf = ({ inputs }: UtxoTransaction) => [
  ...new Set(inputs.flatMap(({ address }) => address ?? [])),
];

/** Whether a transaction is a CoinJoin: several people pay equal amounts to themselves. */
function isCoinJoin({ inputs, outputs }: UtxoTransaction): boolean {
  const equal = Math.max(0, ...countOf(outputs.map(({ value }) => value)).values());
  return inputs.length >= EQUAL_OUTPUTS && equal >= EQUAL_OUTPUTS;
}

function swept(spends: readonly UtxoTransaction[]): NoticedSignal[] {
  const sweeps = spends.filter(
    (spend) => spend.inputs.length >= SWEPT_INPUTS && ownersOf(spend).length >= SWEPT_OWNERS,
  );
  return sweeps.length > 0 ? [{ code: 'swept_with_others', weight: 2.5, evidence: idsOf(sweeps) }] : [];
}

/** The wallet pays many recipients at once, at uniform fee rates. */
function payout(spends: readonly UtxoTransaction[]): NoticedSignal[] {
  const payouts = spends.filter(({ outputs }) => outputs.length >= PAYOUT_OUTPUTS);
  if (payouts.length === 0 || variation(payouts.map(({ feeRate }) => feeRate)) > 0.5) return [];
  return [{ code: 'batched_payouts', weight: 2.5, evidence: idsOf(payouts) }];
}

/** The inputs of a transaction belong to one owner, unless it is a CoinJoin. */
function labelledCluster({ labelled }: UtxoSubject, spends: readonly UtxoTransaction[]): NoticedSignal[] {
  const held = spends
    .flatMap(ownersOf)
    .filter((owner) => CUSTODIAL_TYPES.some((type) => type === labelled.get(owner)));
  return held.length > 0 ? [{ code: 'labelled_cluster', weight: 3.5, evidence: [...new Set(held)] }] : [];
}

function manyFunders(
  funded: readonly UtxoTransaction[],
  spends: readonly UtxoTransaction[],
): NoticedSignal[] {
  const funders = new Set(funded.flatMap(ownersOf));
  return funders.size > MANY_FUNDERS && spends.length > 0 ? [{ code: 'many_funders', weight: 1.5 }] : [];
}

function oneDestination(address: string, spends: readonly UtxoTransaction[]): NoticedSignal[] {
  const others = spends.map(({ outputs }) =>
    outputs.flatMap((output) =>
      output.address === null || output.address === address ? [] : output.address,
    ),
  );
  const [to, second] = new Set(others.flat());
  if (spends.length < MIN_SPENDS || to === undefined || second !== undefined) return [];
  return [{ code: 'single_out_counterparty', weight: 1.2, evidence: [to] }];
}

/** Spends with one or two inputs, one payee and change are typical of a person's wallet. */
function simpleSpends(spends: readonly UtxoTransaction[]): NoticedSignal[] {
  const simple = spends.filter(({ inputs, outputs }) => {
    const types = new Set(inputs.map(({ type }) => type));
    return inputs.length <= 2 && outputs.length === 2 && outputs.some(({ type }) => types.has(type));
  });
  const share = spends.length === 0 ? 0 : simple.length / spends.length;
  return share > 0.8 ? [{ code: 'simple_spends', weight: -1, value: share, evidence: idsOf(simple) }] : [];
}

/** The address was funded once and spent once, and has a modern (SegWit) format. */
function freshSegwit(
  address: string,
  funded: readonly UtxoTransaction[],
  spends: readonly UtxoTransaction[],
): NoticedSignal[] {
  const types = funded.flatMap(({ outputs }) =>
    outputs.filter((output) => output.address === address).map(({ type }) => type),
  );
  const isModern = types.length > 0 && types.every((type) => /^v[01]_/.test(type));
  return isModern && funded.length === 1 && spends.length === 1 ? [{ code: 'fresh_segwit', weight: -1 }] : [];
}
