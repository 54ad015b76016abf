import type { Blockchain } from '../blockchains.ts';
import { compareDecimals } from '../decimal.ts';
import { invalidField } from '../errors.ts';
import { addressAt } from '../normalised-places.ts';
import type { VerificationRecord } from './record.ts';
import type { CreateVerificationBody } from './schema.ts';

/** A blockchain whose blocks are scanned. Without a node for the chain, no satoshi test is possible. */
export interface ScannedChain {
  /** Decimals of an asset that can be watched: the native asset and the listed tokens; undefined for others. */
  decimalsOf: (asset: string) => number | undefined;
}

type SatoshiFields = Pick<
  VerificationRecord,
  'satoshiAmount' | 'satoshiDepositAddress' | 'satoshiDepositNormal' | 'isSatoshiChosen'
>;
const NO_SATOSHI: SatoshiFields = {
  satoshiAmount: null,
  satoshiDepositAddress: null,
  satoshiDepositNormal: null,
  isSatoshiChosen: false,
};

interface SatoshiRequestInput {
  chain: Blockchain;
  scanned: ScannedChain | undefined;
  addressNormal: string;
}

/**
 * The satoshi test of a create request. An omitted amount stays null until the watch chooses one. Whether the deposit
 * address is the tenant's is not known here. Throws validation_failed.
 */
export function satoshiFieldsOf(body: CreateVerificationBody, input: SatoshiRequestInput): SatoshiFields {
  const isRequested = body.allowedFlows?.includes('SATOSHI_TEST');
  const { satoshiFlow } = body;
  if (!satoshiFlow) {
    if (!isRequested) return NO_SATOSHI;
    throw invalidField('/satoshiFlow', 'required', 'SATOSHI_TEST needs a deposit address.');
  }
  if (isRequested === false) {
    throw invalidField('/satoshiFlow', 'not_allowed', 'Only with SATOSHI_TEST among the allowed flows.');
  }
  const pointer = isRequested ? '/allowedFlows' : '/satoshiFlow';
  const decimals = decimalsAt(pointer, body.asset, input);
  const depositNormal = addressAt(
    '/satoshiFlow/depositAddress',
    input.chain.name,
    satoshiFlow.depositAddress,
  );
  if (depositNormal === input.addressNormal) {
    const message = 'The deposit address must differ from the wallet.';
    throw invalidField('/satoshiFlow/depositAddress', 'same_as_wallet', message);
  }
  if (satoshiFlow.amount !== undefined) {
    requireAmount(satoshiFlow.amount, { decimals, depositNormal, ...input });
  }
  return {
    satoshiAmount: satoshiFlow.amount ?? null,
    satoshiDepositAddress: satoshiFlow.depositAddress,
    satoshiDepositNormal: depositNormal,
    isSatoshiChosen: satoshiFlow.amount !== undefined,
  };
}

function decimalsAt(pointer: string, asset: string, { chain, scanned }: SatoshiRequestInput): number {
  if (!scanned) {
    const message = `SATOSHI_TEST needs a node of ${chain.name}, and this deployment has none.`;
    throw invalidField(pointer, 'chain_not_scanned', message);
  }
  const decimals = scanned.decimalsOf(asset);
  if (decimals === undefined) {
    throw invalidField('/asset', 'asset_not_scanned', `This asset cannot be watched on ${chain.name}.`);
  }
  return decimals;
}

interface AmountRules extends SatoshiRequestInput {
  decimals: number;
  depositNormal: string;
}

function requireAmount(amount: string, { decimals, chain, depositNormal }: AmountRules): void {
  const pointer = '/satoshiFlow/amount';
  const fraction = amount.split('.')[1] ?? '';
  if (fraction.length > decimals) {
    throw invalidField(pointer, 'too_many_decimals', `This asset has ${decimals} decimals.`);
  }
  const dust = chain.addressFormat === 'BITCOIN' ? bitcoinDust(depositNormal) : null;
  if (dust !== null && compareDecimals(amount, dust) < 0) {
    throw invalidField(
      pointer,
      'below_dust',
      `The network does not carry less than ${dust} to this address.`,
    );
  }
}

/** The smallest output that Bitcoin nodes relay, by type of the receiving address (Bitcoin Core, dust relay fee 3 sat/vB). */
function bitcoinDust(address: string): string {
  if (/^(bc|tb|bcrt)1q/.test(address) && address.length < 50) return '0.00000294';
  if (/^(bc|tb|bcrt)1/.test(address)) return '0.0000033';
  return /^[32]/.test(address) ? '0.0000054' : '0.00000546';
}
