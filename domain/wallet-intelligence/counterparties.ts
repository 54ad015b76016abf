import type { WalletObservation } from './activity.ts';
import type { CheckedWallet } from './check.ts';
import { contractKind } from './contract-code.ts';

/** Enough for all counterparties of 200 transactions, except for the largest payouts. */
const MAX_COUNTERPARTIES = 2_000;

/** The other addresses in a wallet's history and code, each once. */
export function counterpartiesOf(
  { addressNormal }: CheckedWallet,
  { evm, evmHistory, utxoHistory }: Omit<WalletObservation, 'labelled'>,
): string[] {
  const { target } = contractKind(evm?.code ?? '0x');
  const moved = (evmHistory?.movements ?? []).flatMap(({ from, to }) => [from, to]);
  const joined = (utxoHistory?.transactions ?? []).flatMap(({ inputs, outputs }) =>
    [...inputs, ...outputs].map(({ address }) => address),
  );
  const others = new Set([target, ...moved, ...joined].filter((address) => address !== null));
  others.delete(addressNormal);
  return [...others].slice(0, MAX_COUNTERPARTIES);
}
